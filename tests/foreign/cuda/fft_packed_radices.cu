// FFT of 2^m points, one block per transform, everything in dynamic shared memory.
// The host passes the radices packed in a word: four bits each, log2 of the radix, first pass lowest.
//   0x123  =  8, then 4, then 2   (64 points)

__device__ __forceinline__ float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ __forceinline__ float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ __forceinline__ float2 operator*(float2 a, float2 b)
{
  return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

// exp(-2 pi i num/den)
__device__ __forceinline__ float2 unit_root(int num, int den)
{
  float s, c;
  sincospif(-2.0f * num / den, &s, &c);
  return make_float2(c, s);
}

// R points in registers, the compiler unrolls the recursion
template <int R>
struct Dft {
  static __device__ void run(float2 (&v)[R])
  {
    float2 even[R / 2], odd[R / 2];
    for (int i = 0; i < R / 2; ++i) {
      even[i] = v[2 * i];
      odd[i] = v[2 * i + 1];
    }
    Dft<R / 2>::run(even);
    Dft<R / 2>::run(odd);
    for (int k = 0; k < R / 2; ++k) {
      float2 t = unit_root(k, R) * odd[k];
      v[k] = even[k] + t;
      v[k + R / 2] = even[k] - t;
    }
  }
};

template <>
struct Dft<1> {
  static __device__ void run(float2 (&)[1]) {}
};

// One Stockham pass. `done` is the product of the radices of the passes before.
template <int R>
__device__ void pass(const float2 *in, float2 *out, int n, int done)
{
  const int jobs = n / R;
  for (int j = threadIdx.x; j < jobs; j += blockDim.x) {
    const int k = j % done;
    float2 v[R];
    for (int r = 0; r < R; ++r)
      v[r] = unit_root(r * k, done * R) * in[j + r * jobs];
    Dft<R>::run(v);
    const int base = j / done * done * R + k;
    for (int r = 0; r < R; ++r)
      out[base + r * done] = v[r];
  }
}

extern __shared__ float2 pool[];

__global__ void fft_packed(float2 *data, int n, unsigned radices)
{
  float2 *src = pool;
  float2 *dst = pool + n;
  data += (size_t)blockIdx.x * n;

  for (int i = threadIdx.x; i < n; i += blockDim.x)
    src[i] = data[i];
  __syncthreads();

  int done = 1;
  for (unsigned todo = radices; todo != 0; todo >>= 4) {
    switch (todo & 15) {
      case 1: pass<2>(src, dst, n, done); break;
      case 2: pass<4>(src, dst, n, done); break;
      case 3: pass<8>(src, dst, n, done); break;
      case 4: pass<16>(src, dst, n, done); break;
    }
    done <<= todo & 15;
    __syncthreads();
    float2 *swap = src;
    src = dst;
    dst = swap;
  }

  for (int i = threadIdx.x; i < n; i += blockDim.x)
    data[i] = src[i];
}
