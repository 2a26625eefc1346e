// Work-efficient scan, indices padded against bank conflicts.
#define LOG_BANKS 5
#define PAD(i) ((i) + ((i) >> LOG_BANKS))

extern "C" __global__ void prescan(const uint2 *__restrict__ in2, uint2 *__restrict__ out2, int n)
{
  extern __shared__ unsigned t[];
  const int id = threadIdx.x;

  uint2 v = in2[id];
  t[PAD(2 * id)] = v.x;
  t[PAD(2 * id + 1)] = v.y;

  int stride = 1;
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (id < d) {
      int a = stride * (2 * id + 1) - 1;
      int b = stride * (2 * id + 2) - 1;
      t[PAD(b)] += t[PAD(a)];
    }
    stride <<= 1;
  }

  if (id == 0) t[PAD(n - 1)] = 0;

  for (int d = 1; d < n; d <<= 1) {
    stride >>= 1;
    __syncthreads();
    if (id < d) {
      int a = stride * (2 * id + 1) - 1;
      int b = stride * (2 * id + 2) - 1;
      unsigned x = t[PAD(a)];
      t[PAD(a)] = t[PAD(b)];
      t[PAD(b)] += x;
    }
  }
  __syncthreads();

  out2[id] = make_uint2(t[PAD(2 * id)], t[PAD(2 * id + 1)]);
}
