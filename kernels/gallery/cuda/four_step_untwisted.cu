// Gallery: the middle step of four left out. Between the transforms of the columns and those of the rows each value is
// multiplied by w_N^(row · column); without it, columns and rows are two separate transforms, as of a picture.

#include "../../cuda/complex.h"

// A thread a column of ROWS points: its transform, row by row of the bins.
extern "C" __global__ void columns(const real2 *x, real2 *y)
{
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < ROWS; k++) {
    real2 sum = make_float2(0, 0);
    for (int r = 0; r < ROWS; r++)
      sum = sum + twiddle(r * k % ROWS, ROWS, -1) * x[r * COLUMNS + c];
#ifdef RIGHT
    y[k * COLUMNS + c] = twiddle(k * c, ROWS * COLUMNS, -1) * sum;
#else
    y[k * COLUMNS + c] = sum;
#endif
  }
}

// A thread a row of COLUMNS points; bin j of row k is bin k + ROWS · j of the whole.
extern "C" __global__ void rows(const real2 *y, real2 *X)
{
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j < COLUMNS; j++) {
    real2 sum = make_float2(0, 0);
    for (int c = 0; c < COLUMNS; c++)
      sum = sum + twiddle(c * j % COLUMNS, COLUMNS, -1) * y[k * COLUMNS + c];
    X[k + ROWS * j] = sum;
  }
}
