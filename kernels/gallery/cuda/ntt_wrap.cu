// Gallery: a product that is too wide. Of two numbers below a modulus of 30 bits the product has 60: in 32 bits it wraps before
// the remainder is taken.

// A thread a bin of a transform modulo P.
extern "C" __global__ void ntt(const unsigned int *x, unsigned int *X)
{
  unsigned int k = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int step = 1, w = 1, sum = 0;
#ifdef RIGHT
  for (unsigned int e = 0; e < k; e++)
    step = static_cast<unsigned int>(static_cast<unsigned long long>(step) * ROOT % P);
  for (int n = 0; n < N; n++) {
    sum = static_cast<unsigned int>((sum + static_cast<unsigned long long>(w) * x[n]) % P);
    w = static_cast<unsigned int>(static_cast<unsigned long long>(w) * step % P);
  }
#else
  for (unsigned int e = 0; e < k; e++)
    step = step * ROOT % P;
  for (int n = 0; n < N; n++) {
    sum = (sum + w * x[n]) % P;
    w = w * step % P;
  }
#endif
  X[k] = sum;
}
