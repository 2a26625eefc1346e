// Gentleman-Sande NTT mod 12289 in shared memory, one block; results come out bit-reversed and are put right on the way out.
#define Q 12289

__device__ int power(int b, int e)
{
  long long r = 1, x = b;
  while (e) {
    if (e & 1) r = r * x % Q;
    x = x * x % Q;
    e >>= 1;
  }
  return (int)r;
}

__global__ void ntt_gs(const int *in, int *out, int n, int logn, int root)
{
  extern __shared__ int a[];
  const int t = threadIdx.x;
  a[t] = in[t] % Q;
  a[t + n / 2] = in[t + n / 2] % Q;
  __syncthreads();

  int w1 = root;                        // root of this layer's blocks
  for (int half = n / 2; half >= 1; half /= 2) {
    const int j = t % half;
    const int lo = t / half * 2 * half + j, hi = lo + half;
    const int u = a[lo], v = a[hi];
    const int d = u >= v ? u - v : u - v + Q;
    a[lo] = (u + v) % Q;
    a[hi] = (int)((long long)d * power(w1, j) % Q);
    w1 = w1 * w1 % Q;
    __syncthreads();
  }

  for (int k = t; k < n; k += blockDim.x)
    out[__brev(k) >> (32 - logn)] = a[k];
}
