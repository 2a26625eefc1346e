// A two-dimensional FFT whose rows are spread over several processes: what each of them runs.

int reversed(int i, int log2n)
{
  int r = 0;
  for (int bit = 0; bit < log2n; bit++) r |= (i >> bit & 1) << (log2n - 1 - bit);
  return r;
}

// A row a work-group, n / 2 work-items each: loaded in bit-reversed order, transformed in local memory, put back.
kernel void fft_rows(global float2 *x, int n, int log2n, local float2 *row)
{
  int i = get_local_id(0);
  global float2 *own = x + get_group_id(0) * n;
  row[reversed(i, log2n)] = own[i];
  row[reversed(i + n / 2, log2n)] = own[i + n / 2];
  for (int half_span = 1; half_span < n; half_span *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int j = i % half_span, first = i / half_span * 2 * half_span + j, second = first + half_span;
    float angle = -(float)j / half_span;
    float2 w = (float2)(cospi(angle), sinpi(angle));
    float2 a = row[first], b = row[second];
    float2 t = (float2)(w.x * b.x - w.y * b.y, w.x * b.y + w.y * b.x);
    row[first] = a + t;
    row[second] = a - t;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  own[i] = row[i];
  own[i + n / 2] = row[i + n / 2];
}

// A slab of `rows` rows of n points, in as many blocks as there are processes: block p has the columns that p will transform,
// each of them as a run of `rows` points. What MPI_Alltoall sends to p is then in one piece.
kernel void pack(global const float2 *x, global float2 *blocks, int n, int rows)
{
  int column = get_global_id(0), row = get_global_id(1);
  blocks[column * rows + row] = x[row * n + column];
}

// The blocks that came, each with `rows` points of every column that is transformed here: joined to whole columns of n points.
kernel void unpack(global const float2 *blocks, global float2 *columns, int n, int rows)
{
  int k = get_global_id(0), column = get_global_id(1);
  int from = k / rows, row = k % rows;
  columns[column * n + k] = blocks[(from * rows + column) * rows + row];
}
