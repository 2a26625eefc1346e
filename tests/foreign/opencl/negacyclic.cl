/* c = a * b  mod (X^n + 1, 7681), NTT with the powers of psi merged into the twiddles.
   Montgomery with R = 2^16 throughout. */
#define Q       7681u
#define QNEG    7679u      /* -1/Q mod R */
#define R_MOD_Q 4088u

static uint redc(uint a)
{
  uint m = (a * QNEG) & 0xffffu;
  uint t = (a + m * Q) >> 16;
  return t >= Q ? t - Q : t;
}

static uint add_q(uint a, uint b) { uint s = a + b; return s >= Q ? s - Q : s; }
static uint sub_q(uint a, uint b) { return a >= b ? a - b : a + Q - b; }

static uint power(uint b, uint e)
{
  uint r = 1;
  for (; e; e >>= 1, b = b * b % Q)
    if (e & 1)
      r = r * b % Q;
  return r;
}

static uint brv(uint i, uint bits)
{
  uint r = 0;
  for (uint k = 0; k < bits; k++)
    r |= (i >> k & 1) << (bits - 1 - k);
  return r;
}

/* psi is a 2n-th root of unity */
__kernel void make_zetas(__global ushort *zetas, __global ushort *izetas, uint psi, uint n, uint bits)
{
  uint i = get_global_id(0), r = brv(i, bits);
  zetas[i] = power(psi, r) * R_MOD_Q % Q;
  izetas[i] = power(psi, 2 * n - r) * R_MOD_Q % Q;
}

static void ntt(__local uint *a, __global const ushort *zetas, uint n)
{
  uint i = get_local_id(0);
  for (uint len = n / 2; len >= 1; len /= 2) {
    uint block = i / len, j = block * len + i;
    uint t = redc(a[j + len] * zetas[n / (2 * len) + block]);
    uint u = a[j];
    a[j] = add_q(u, t);
    a[j + len] = sub_q(u, t);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

static void invntt(__local uint *a, __global const ushort *izetas, uint n)
{
  uint i = get_local_id(0);
  for (uint len = 1; len < n; len *= 2) {
    uint block = i / len, j = block * len + i;
    uint t = a[j], u = a[j + len];
    a[j] = add_q(t, u);
    a[j + len] = redc(sub_q(t, u) * izetas[n / (2 * len) + block]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

__kernel void polymul(__global const ushort *a, __global const ushort *b, __global ushort *c,
                      __global const ushort *zetas, __global const ushort *izetas,
                      __local uint *A, __local uint *B, uint n, uint scale)
{
  uint i = get_local_id(0);
  A[i] = a[i];
  A[i + n / 2] = a[i + n / 2];
  B[i] = b[i];
  B[i + n / 2] = b[i + n / 2];
  barrier(CLK_LOCAL_MEM_FENCE);

  ntt(A, zetas, n);
  ntt(B, zetas, n);
  A[i] = redc(A[i] * B[i]);
  A[i + n / 2] = redc(A[i + n / 2] * B[i + n / 2]);
  barrier(CLK_LOCAL_MEM_FENCE);
  invntt(A, izetas, n);

  /* scale = R^2 / n: one R for the product above, one for this */
  c[i] = redc(A[i] * scale);
  c[i + n / 2] = redc(A[i + n / 2] * scale);
}

__kernel void schoolbook(__global const ushort *a, __global const ushort *b, __global ushort *c, uint n)
{
  int k = get_global_id(0);
  long sum = 0;
  for (int i = 0; i < (int)n; i++) {
    int j = k - i;
    sum += j < 0 ? -(long)a[i] * b[j + (int)n] : (long)a[i] * b[j];
  }
  sum %= 7681;
  c[k] = sum < 0 ? sum + 7681 : sum;
}
