// Mixed radix with the factors as template arguments: N = A * B * C, one block, two arrays in turn.

template <typename V>
__device__ V times(V a, V b)
{
  V c;
  c.x = a.x * b.x - a.y * b.y;
  c.y = a.x * b.y + a.y * b.x;
  return c;
}

__device__ double2 unit(int num, int den)
{
  double2 w;
  sincospi(-2.0 * (num % den) / den, &w.y, &w.x);
  return w;
}

// any small radix by the definition ...
template <int R>
struct Small {
  static __device__ void run(double2 (&v)[R])
  {
    double2 sum[R];
    for (int k = 0; k < R; ++k) {
      sum[k] = v[0];
      for (int j = 1; j < R; ++j) {
        const double2 p = times(v[j], unit(j * k, R));
        sum[k].x += p.x;
        sum[k].y += p.y;
      }
    }
    for (int k = 0; k < R; ++k) v[k] = sum[k];
  }
};

// ... and two points without it
template <>
struct Small<2> {
  static __device__ void run(double2 (&v)[2])
  {
    const double2 a = v[0], b = v[1];
    v[0] = make_double2(a.x + b.x, a.y + b.y);
    v[1] = make_double2(a.x - b.x, a.y - b.y);
  }
};

template <int R, int N>
__device__ void pass(const double2 *from, double2 *to, int before)
{
  constexpr int stride = N / R;
  for (int i = threadIdx.x; i < stride; i += blockDim.x) {
    const int k = i % before;
    double2 v[R];
    for (int r = 0; r < R; ++r)
      v[r] = times(from[i + r * stride], unit(r * k, before * R));
    Small<R>::run(v);
    const int at = i / before * before * R + k;
    for (int r = 0; r < R; ++r)
      to[at + r * before] = v[r];
  }
  __syncthreads();
}

template <int A, int B, int C>
__device__ void chain(const double2 *x, double2 *X)
{
  constexpr int N = A * B * C;
  __shared__ double2 ping[N], pong[N];

  for (int i = threadIdx.x; i < N; i += blockDim.x) ping[i] = x[i];
  __syncthreads();

  pass<A, N>(ping, pong, 1);
  pass<B, N>(pong, ping, A);
  pass<C, N>(ping, pong, A * B);

  for (int i = threadIdx.x; i < N; i += blockDim.x) X[i] = pong[i];
}

extern "C" __global__ void fft_24(const double2 *x, double2 *X)  { chain<2, 3, 4>(x, X); }
extern "C" __global__ void fft_60(const double2 *x, double2 *X)  { chain<5, 4, 3>(x, X); }
extern "C" __global__ void fft_105(const double2 *x, double2 *X) { chain<3, 5, 7>(x, X); }
