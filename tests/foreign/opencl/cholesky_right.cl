// A = L L^T, right-looking, in the lower triangle of A. Column k, then what is right of it.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define AT(M, r, c) M[(r) * n + (c)]

__kernel void make_spd(__global const double *b, __global double *A, __global double *copy, int n)
{
  int r = get_global_id(1), c = get_global_id(0);
  double s = r == c ? 2.0 : 0.0;
  for (int k = 0; k < n; k++) s += AT(b, r, k) * AT(b, c, k) / n;
  AT(A, r, c) = s;
  AT(copy, r, c) = s;
}

// one work-group, a row per work-item
__kernel void column(__global double *A, int n, int k)
{
  const int r = get_local_id(0);
  const double d = sqrt(AT(A, k, k));
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (r == k)
    AT(A, r, k) = d;
  else if (r > k)
    AT(A, r, k) /= d;
}

__kernel void trailing(__global double *A, int n, int k)
{
  const int c = k + 1 + get_global_id(0);
  const int r = k + 1 + get_global_id(1);
  if (r < n && c <= r)
    AT(A, r, c) -= AT(A, r, k) * AT(A, c, k);
}

// Cholesky-Banachiewicz, row by row
__kernel void by_rows(__global double *M, int n)
{
  for (int r = 0; r < n; r++)
    for (int c = 0; c <= r; c++) {
      double s = AT(M, r, c);
      for (int k = 0; k < c; k++) s -= AT(M, r, k) * AT(M, c, k);
      AT(M, r, c) = r == c ? sqrt(s) : s / AT(M, c, c);
    }
}
