// Gallery: half a sample. A cosine transform looks at the middles of its samples, cos(π/N (n + ½) k); without the half it is
// another transform, and its inverse does not give the points back.

// An item a coefficient.
kernel void dct(global const float *x, global float *X)
{
  int k = get_global_id(0);
  float sum = 0;
  for (int n = 0; n < N; n++)
#ifdef RIGHT
    sum += x[n] * cospi((2 * n + 1) * k % (4 * N) / (2.0f * N));
#else
    sum += x[n] * cospi(2 * n * k % (4 * N) / (2.0f * N));
#endif
  X[k] = sum;
}
