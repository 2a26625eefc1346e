// radix-4 Stockham through global memory
typedef float2 cpx;

__device__ inline cpx cmul(cpx a, cpx b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
__device__ inline cpx cadd(cpx a, cpx b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ inline cpx csub(cpx a, cpx b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ inline cpx mul_mi(cpx a) { return make_float2(a.y, -a.x); }

extern "C" __global__ void pass4(const cpx* __restrict__ x, cpx* __restrict__ y, const cpx* __restrict__ roots, int n, int p)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int q = n / 4;
  int k = i % p;

  cpx u0 = x[i];
  cpx u1 = x[i + q];
  cpx u2 = x[i + 2 * q];
  cpx u3 = x[i + 3 * q];

  int step = n / (4 * p);
  u1 = cmul(u1, __ldg(&roots[k * step]));
  u2 = cmul(u2, __ldg(&roots[2 * k * step]));
  u3 = cmul(u3, __ldg(&roots[3 * k * step]));

  cpx v0 = cadd(u0, u2);
  cpx v1 = csub(u0, u2);
  cpx v2 = cadd(u1, u3);
  cpx v3 = mul_mi(csub(u1, u3));

  int j = (i - k) * 4 + k;
  y[j]         = cadd(v0, v2);
  y[j + p]     = cadd(v1, v3);
  y[j + 2 * p] = csub(v0, v2);
  y[j + 3 * p] = csub(v1, v3);
}
