// Gallery: the middle step of four left out. Between the transforms of the columns and those of the rows each value is
// multiplied by w_N^(row · column); without it, columns and rows are two separate transforms, as of a picture.

#include "../../opencl/complex.h"

// An item a column of ROWS points: its transform, row by row of the bins.
kernel void columns(global const real2 *x, global real2 *y)
{
  int c = get_global_id(0);
  for (int k = 0; k < ROWS; k++) {
    real2 sum = (float2)(0, 0);
    for (int r = 0; r < ROWS; r++)
      sum = sum + multiply(twiddle(r * k % ROWS, ROWS, -1), x[r * COLUMNS + c]);
#ifdef RIGHT
    y[k * COLUMNS + c] = multiply(twiddle(k * c, ROWS * COLUMNS, -1), sum);
#else
    y[k * COLUMNS + c] = sum;
#endif
  }
}

// An item a row of COLUMNS points; bin j of row k is bin k + ROWS · j of the whole.
kernel void rows(global const real2 *y, global real2 *X)
{
  int k = get_global_id(0);
  for (int j = 0; j < COLUMNS; j++) {
    real2 sum = (float2)(0, 0);
    for (int c = 0; c < COLUMNS; c++)
      sum = sum + multiply(twiddle(c * j % COLUMNS, COLUMNS, -1), y[k * COLUMNS + c]);
    X[k + ROWS * j] = sum;
  }
}
