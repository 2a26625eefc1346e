#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define A(r, c) a[(r) * lda + (c)]

struct best { double mag; int row; };

// LU with partial pivoting, in place, whole matrix by a single work-group.
// perm[k] is the row that was exchanged with row k (LAPACK's ipiv, from 0).
__kernel void getrf(__global double* a, __global int* perm, const int n, const int lda,
                    __local struct best* cand)
{
  const int tid = get_local_id(0);
  const int nt  = get_local_size(0);

  for (int k = 0; k < n; k++)
  {
    // pivot search in column k
    struct best mine; mine.mag = -1.0; mine.row = k;
    for (int r = k + tid; r < n; r += nt)
    {
      const double v = fabs(A(r, k));
      if (v > mine.mag) { mine.mag = v; mine.row = r; }
    }
    cand[tid] = mine;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (int s = nt / 2; s >= 1; s /= 2)
    {
      if (tid < s && cand[tid + s].mag > cand[tid].mag)
        cand[tid] = cand[tid + s];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    const int piv = cand[0].row;
    if (tid == 0) perm[k] = piv;

    // whole rows change places
    if (piv != k)
      for (int c = tid; c < n; c += nt)
      {
        const double tmp = A(k, c);
        A(k, c) = A(piv, c);
        A(piv, c) = tmp;
      }
    barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);

    for (int r = k + 1 + tid; r < n; r += nt)
    {
      const double m = A(r, k) / A(k, k);
      A(r, k) = m;
      for (int c = k + 1; c < n; c++)
        A(r, c) -= m * A(k, c);
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}

// solves with the factors, right-hand sides are the columns of b, an item each
__kernel void getrs(__global const double* a, __global const int* perm, __global double* b,
                    const int n, const int lda, const int nrhs)
{
  const int col = get_global_id(0);
  if (col >= nrhs) return;

  for (int k = 0; k < n; k++)
  {
    const int p = perm[k];
    const double t = b[k * nrhs + col];
    b[k * nrhs + col] = b[p * nrhs + col];
    b[p * nrhs + col] = t;
  }
  for (int r = 1; r < n; r++)
  {
    double s = b[r * nrhs + col];
    for (int c = 0; c < r; c++)
      s -= A(r, c) * b[c * nrhs + col];
    b[r * nrhs + col] = s;
  }
  for (int r = n - 1; r >= 0; r--)
  {
    double s = b[r * nrhs + col];
    for (int c = r + 1; c < n; c++)
      s -= A(r, c) * b[c * nrhs + col];
    b[r * nrhs + col] = s / A(r, r);
  }
}

// makes b = A x for known x, so that x must come back
__kernel void make_rhs(__global const double* a, __global const double* x, __global double* b,
                       const int n, const int lda, const int nrhs)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < nrhs; j++)
    {
      double s = 0;
      for (int k = 0; k < n; k++) s += a[i * lda + k] * x[k * nrhs + j];
      b[i * nrhs + j] = s;
    }
}
