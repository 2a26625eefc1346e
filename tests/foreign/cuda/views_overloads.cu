// Lower triangular solve and a matrix product written with view classes: operator(), templates, a functor, constexpr.
#include <cstdint>

template <typename T, int Pitch> struct Tile {
  T cells[Pitch * Pitch];
  __device__ T& operator()(int r, int c) { return cells[r * Pitch + c]; }
  __device__ const T& operator()(int r, int c) const { return cells[r * Pitch + c]; }
};

template <typename T> class View {
  T* data_; int stride_;
public:
  __device__ View(T* data, int stride) : data_(data), stride_(stride) {}
  __device__ T& operator()(int r, int c) const { return data_[r * stride_ + c]; }
  __device__ View block(int r, int c) const { return View(&(*this)(r, c), stride_); }
};

struct Axpy {
  float a;
  __device__ __forceinline__ float operator()(float x, float y) const { return fmaf(a, x, y); }
};

constexpr int side = 4;

extern "C" __global__ void product(const float* a, const float* b, float* c, int n) {
  __shared__ Tile<float, side> left, right;
  const View<const float> A(a, n), B(b, n);
  View<float> C(c, n);
  const int r = threadIdx.y, q = threadIdx.x, R = blockIdx.y * side, Q = blockIdx.x * side;
  float sum = 0;
  for (int k = 0; k < n; k += side) {
    left(r, q) = A.block(R, k)(r, q);
    right(r, q) = B.block(k, Q)(r, q);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < side; ++i) sum = Axpy{left(r, i)}(right(i, q), sum);
    __syncthreads();
  }
  C.block(R, Q)(r, q) = sum;
}

extern "C" __global__ void product_plain(const float* a, const float* b, float* c, int n) {
  for (int i = threadIdx.x; i < n * n; i += blockDim.x) {
    float sum = 0;
    for (int k = 0; k < n; ++k) sum = fmaf(a[i / n * n + k], b[k * n + i % n], sum);
    c[i] = sum;
  }
}
