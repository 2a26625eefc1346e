// Two-dimensional FFT of a square image, rows then columns with the same device function.
#define DIM 16

class LineFft {
 public:
  __device__ LineFft(float2 *work, int lane) : work_(work), lane_(lane) {}

  __device__ void load(const float2 *g, int pitch) {
    work_[rev(lane_)] = g[lane_ * pitch];
    work_[rev(lane_ + DIM / 2)] = g[(lane_ + DIM / 2) * pitch];
  }
  __device__ void run() {
    for (int half = 1; half < DIM; half *= 2) {
      __syncthreads();
      step(half);
    }
    __syncthreads();
  }
  __device__ void store(float2 *g, int pitch) const {
    g[lane_ * pitch] = work_[lane_];
    g[(lane_ + DIM / 2) * pitch] = work_[lane_ + DIM / 2];
  }

 private:
  static __device__ unsigned rev(unsigned i) { return __brev(i) >> 28; }
  __device__ void step(int half) {
    const int k = lane_ % half, i = 2 * (lane_ - k) + k;
    float2 w;
    sincospif(-float(k) / half, &w.y, &w.x);
    const float2 a = work_[i], b = work_[i + half];
    const float2 t = {w.x * b.x - w.y * b.y, w.x * b.y + w.y * b.x};
    work_[i] = {a.x + t.x, a.y + t.y};
    work_[i + half] = {a.x - t.x, a.y - t.y};
  }
  float2 *work_;
  int lane_;
};

__global__ void rows(float2 *image) {
  __shared__ float2 lines[4][DIM];
  float2 *row = image + (blockIdx.x * 4 + threadIdx.y) * DIM;
  LineFft fft(lines[threadIdx.y], threadIdx.x);
  fft.load(row, 1);
  fft.run();
  fft.store(row, 1);
}

__global__ void cols(float2 *image) {
  __shared__ float2 lines[4][DIM];
  float2 *col = image + blockIdx.x * 4 + threadIdx.y;
  LineFft fft(lines[threadIdx.y], threadIdx.x);
  fft.load(col, DIM);
  fft.run();
  fft.store(col, DIM);
}
