// Gallery: a product that is too wide. Of two numbers below a modulus of 30 bits the product has 60: in 32 bits it wraps before
// the remainder is taken.

// An item a bin of a transform modulo P.
kernel void ntt(global const uint *x, global uint *X)
{
  uint k = get_global_id(0);
  uint step = 1, w = 1, sum = 0;
#ifdef RIGHT
  for (uint e = 0; e < k; e++)
    step = (uint)((ulong)step * ROOT % P);
  for (int n = 0; n < N; n++) {
    sum = (uint)((sum + (ulong)w * x[n]) % P);
    w = (uint)((ulong)w * step % P);
  }
#else
  for (uint e = 0; e < k; e++)
    step = step * ROOT % P;
  for (int n = 0; n < N; n++) {
    sum = (sum + w * x[n]) % P;
    w = w * step % P;
  }
#endif
  X[k] = sum;
}
