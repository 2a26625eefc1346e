// Circular convolution of power-of-two length; the signal sits in shared memory twice so that no index wraps.
template <typename T, int N>
struct Doubled {
  T v[2 * N];
  __device__ void put(int i, T x) { v[i] = x; v[i + N] = x; }
  __device__ T operator[](int i) const { return v[i + N]; }
};

template <typename T, int N>
__global__ void circular(const T *x, const T *h, T *y, int taps)
{
  __shared__ Doubled<T, N> d;
  const int i = threadIdx.x;
  d.put(i, x[i]);
  __syncthreads();
  T sum = T(0);
  for (int k = 0; k < taps; ++k) sum += h[k] * d[i - k];
  y[i] = sum;
}
