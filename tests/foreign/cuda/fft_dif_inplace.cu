// Gentleman-Sande: natural order in, then swap into order.
struct Complex { float re, im; };

static __device__ __forceinline__ Complex operator+(Complex a, Complex b) { return Complex{a.re + b.re, a.im + b.im}; }
static __device__ __forceinline__ Complex operator-(Complex a, Complex b) { return Complex{a.re - b.re, a.im - b.im}; }
static __device__ __forceinline__ Complex operator*(Complex a, Complex b) {
  return Complex{a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
static __device__ __forceinline__ Complex expi(float turns) {
  Complex w;
  sincospif(2.0f * turns, &w.im, &w.re);
  return w;
}

__global__ void gentleman_sande(Complex *data, int n, int span) {
  for (int t = blockIdx.x * blockDim.x + threadIdx.x; t < n / 2; t += gridDim.x * blockDim.x) {
    const int half = span / 2;
    const int j = t % half;
    const int block = t / half;
    Complex *lo = data + block * span + j;
    Complex *hi = lo + half;
    const Complex u = *lo, v = *hi;
    *lo = u + v;
    *hi = (u - v) * expi(-(float)j / (float)span);
  }
}

__global__ void swap_reversed(Complex *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int r = 0;
  for (int m = 1, k = i; m < n; m <<= 1, k >>= 1) r = (r << 1) | (k & 1);
  if (i < r) {
    Complex t = data[i];
    data[i] = data[r];
    data[r] = t;
  }
}
