// What the two-dimensional transforms are made of: transforms of all columns in shared memory, one column a block,
// and reorderings of the array.
//
// An array of n rows is read column by column: element j of column c is x[j·columns + c]. It is written as a column of y, or,
// with `as_rows`, as a row: y[c·n + j]. Then no transposition is needed, because the next launch reads y's columns again.

#include "trace_device.h"
#include "complex.h"
#include "reversal.h"

// Where element j of column c of an array of n rows is written.
__device__ int written(int c, int j, int n, int columns, int as_rows) { return as_rows ? c * n + j : j * columns + c; }

// Stockham, radix 2: n/2 threads a block; s holds 2n points, between which the stages alternate.
extern "C" __global__ void columns_stockham2(const real2 *__restrict__ x, real2 *__restrict__ y, int n, int columns,
                                             int as_rows, int sign TRACE_PARAMS)
{
  extern __shared__ real2 s[];
  int tid = threadIdx.x, column = blockIdx.x;
  for (int j = tid; j < n; j += n / 2) {
    real2 v = x[j * columns + column];
    s[j] = v;
    TRACE_MOVE(s, j, x, j * columns + column, v);
  }
  __syncthreads();
  TRACE_BARRIER();

  int from = 0;  // the half of s that is read; the other one is written
  for (int span = 2, stage = 1; span <= n; span *= 2, ++stage) {
    TRACE_STAGE(stage);
    int r = n / span;
    int j = tid / r, k = tid % r;
    int i0 = from + j * 2 * r + k, i1 = i0 + r;
    int o0 = n - from + tid, o1 = o0 + n / 2;

    real2 w = twiddle(j, span, sign);
    real2 a = s[i0], b = s[i1];
    real2 t = w * b;
    s[o0] = a + t;
    s[o1] = a - t;
    TRACE_BUTTERFLY_TO(s, o0, o1, s, i0, i1, w, a, b);
    __syncthreads();
    TRACE_BARRIER();
    from = n - from;
  }

  TRACE_STAGE(0);
  for (int j = tid; j < n; j += n / 2) {
    int to = written(column, j, n, columns, as_rows);
    real2 v = s[from + j];
    y[to] = v;
    TRACE_MOVE(y, to, s, from + j, v);
  }
}

// Stockham, radix 4: n/4 threads a block; s holds 2n points.
extern "C" __global__ void columns_stockham4(const real2 *__restrict__ x, real2 *__restrict__ y, int n, int columns,
                                             int as_rows, int sign TRACE_PARAMS)
{
  extern __shared__ real2 s[];
  int tid = threadIdx.x, column = blockIdx.x;
  for (int j = tid; j < n; j += n / 4) {
    real2 v = x[j * columns + column];
    s[j] = v;
    TRACE_MOVE(s, j, x, j * columns + column, v);
  }
  __syncthreads();
  TRACE_BARRIER();

  int from = 0;
  for (int span = 4, stage = 1; span <= n; span *= 4, ++stage) {
    TRACE_STAGE(stage);
    int r = n / span;
    int j = tid / r, k = tid % r;
    int i0 = from + j * 4 * r + k, i1 = i0 + r, i2 = i1 + r, i3 = i2 + r;
    int o0 = n - from + tid, o1 = o0 + n / 4, o2 = o1 + n / 4, o3 = o2 + n / 4;

    real2 w1 = twiddle(j, span, sign), w2 = twiddle(2 * j, span, sign), w3 = twiddle(3 * j, span, sign);
    real2 a = s[i0], b = s[i1], c = s[i2], d = s[i3];
    real2 beta = w1 * b, gamma = w2 * c, delta = w3 * d;
    real2 t0 = a + gamma, t1 = a - gamma, t2 = beta + delta, t3 = times_i(beta - delta, sign);
    s[o0] = t0 + t2;
    s[o1] = t1 + t3;
    s[o2] = t0 - t2;
    s[o3] = t1 - t3;
    TRACE_BUTTERFLY4_TO(s, o0, o1, o2, o3, s, i0, i1, i2, i3, w1, w2, w3, a, b, c, d);
    __syncthreads();
    TRACE_BARRIER();
    from = n - from;
  }

  TRACE_STAGE(0);
  for (int j = tid; j < n; j += n / 4) {
    int to = written(column, j, n, columns, as_rows);
    real2 v = s[from + j];
    y[to] = v;
    TRACE_MOVE(y, to, s, from + j, v);
  }
}

// Radix 4, in place: n/4 threads a block; s holds n points. The rows of x are put into digit-reversed order on the way in when
// load_digits says how many base-4 digits n has (0: they are so already); a column becomes the row of its number, or, when row_digits
// says how many digits `columns` has, the row of its reversed digits, as the next launch wants them.
extern "C" __global__ void columns_radix4(const real2 *__restrict__ x, real2 *__restrict__ y, int n, int columns,
                                          int as_rows, int load_digits, int row_digits, int sign TRACE_PARAMS)
{
  extern __shared__ real2 s[];
  int tid = threadIdx.x, column = blockIdx.x;
  for (int j = tid; j < n; j += n / 4) {
    int to = load_digits ? reverse_digits(j, load_digits) : j;
    real2 v = x[j * columns + column];
    s[to] = v;
    TRACE_MOVE(s, to, x, j * columns + column, v);
  }
  __syncthreads();
  TRACE_BARRIER();

  for (int span = 4, stage = 1; span <= n; span *= 4, ++stage) {
    TRACE_STAGE(stage);
    int quarter = span / 4;
    int k = tid / quarter, j = tid % quarter;
    int i0 = k * span + j, i1 = i0 + quarter, i2 = i1 + quarter, i3 = i2 + quarter;

    real2 w1 = twiddle(j, span, sign), w2 = twiddle(2 * j, span, sign), w3 = twiddle(3 * j, span, sign);
    real2 a = s[i0], b = s[i1], c = s[i2], d = s[i3];
    real2 beta = w1 * b, gamma = w2 * c, delta = w3 * d;
    real2 t0 = a + gamma, t1 = a - gamma, t2 = beta + delta, t3 = times_i(beta - delta, sign);
    s[i0] = t0 + t2;
    s[i1] = t1 + t3;
    s[i2] = t0 - t2;
    s[i3] = t1 - t3;
    TRACE_BUTTERFLY4(s, i0, i1, i2, i3, w1, w2, w3, a, b, c, d);
    __syncthreads();
    TRACE_BARRIER();
  }

  TRACE_STAGE(0);
  int line = row_digits ? reverse_digits(column, row_digits) : column;
  for (int j = tid; j < n; j += n / 4) {
    int to = written(line, j, n, columns, as_rows);
    real2 v = s[j];
    y[to] = v;
    TRACE_MOVE(y, to, s, j, v);
  }
}

// rows × columns threads in tiles of TILE × TILE: y becomes x transposed. The tile is read and written by rows; it has a
// column more than it needs, so that the elements of one of its columns are in different banks.
extern "C" __global__ void transpose(const real2 *__restrict__ x, real2 *__restrict__ y, int rows, int columns TRACE_PARAMS)
{
  __shared__ real2 tile[TILE * (TILE + 1)];
  int column = threadIdx.x, row = threadIdx.y;
  int tile_column = blockIdx.x * TILE, tile_row = blockIdx.y * TILE;

  int from = (tile_row + row) * columns + tile_column + column, in = row * (TILE + 1) + column;
  real2 v = x[from];
  tile[in] = v;
  TRACE_MOVE(tile, in, x, from, v);
  __syncthreads();
  TRACE_BARRIER();

  int out = column * (TILE + 1) + row, to = (tile_column + row) * rows + tile_row + column;
  real2 u = tile[out];
  y[to] = u;
  TRACE_MOVE(y, to, tile, out, u);
}

// A thread an element: puts the rows into digit-reversed order. The smaller row of a pair swaps it.
extern "C" __global__ void reverse_rows(real2 *x, int columns, int digits TRACE_PARAMS)
{
  int row = global_id() / columns, column = global_id() % columns;
  int other = reverse_digits(row, digits);
  if (row < other) {
    int i = row * columns + column, j = other * columns + column;
    real2 a = x[i], b = x[j];
    x[i] = b;
    x[j] = a;
    TRACE_SWAP(x, i, j, a, b);
  }
}
