// y = A x for a sparse matrix in coordinate (COO) format, entries sorted by row.
// Every work-item walks through `chunk` consecutive entries. Rows that begin and end inside
// of a chunk are written at once; what crosses a border goes through a segmented scan.

typedef struct {
  int   row;
  float sum;
} carry_t;

carry_t make_carry(int row, float sum)
{
  carry_t c;
  c.row = row;
  c.sum = sum;
  return c;
}

// A pattern for the test: long rows first, short ones and gaps later
__kernel void coo_pattern(__global int* rows, __global int* cols, const int nnz)
{
  const int e = get_global_id(0);
  rows[e] = 3 * e * e / (4 * nnz);
  cols[e] = (7 * e + 3) % nnz;
}

__kernel void coo_zero(__global float* y)
{
  y[get_global_id(0)] = 0.0f;
}

__kernel void coo_spmv(__global const int* rows, __global const int* cols, __global const float* vals,
                       __global const float* x, __global float* y,
                       __local carry_t* tail, const int nnz, const int chunk)
{
  const int lid = get_local_id(0);
  const int begin = lid * chunk;
  const int end = min(begin + chunk, nnz);

  carry_t run = make_carry(-1, 0.0f);
  carry_t head = run;
  bool in_head = true;

  for (int e = begin; e < end; ++e) {
    if (rows[e] != run.row) {
      if (e > begin) {
        if (in_head)
          head = run;
        else
          y[run.row] = run.sum;
        in_head = false;
      }
      run = make_carry(rows[e], 0.0f);
    }
    run.sum += vals[e] * x[cols[e]];
  }

  // segmented inclusive scan of the last runs
  tail[lid] = run;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 1; d < (int)get_local_size(0); d <<= 1) {
    carry_t left = make_carry(-1, 0.0f);
    if (lid >= d)
      left = tail[lid - d];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (left.row == run.row)
      tail[lid].sum += left.sum;
    barrier(CLK_LOCAL_MEM_FENCE);
  }

  // the first run, if it ended here, with what came in from the left
  if (!in_head) {
    if (lid > 0 && tail[lid - 1].row == head.row)
      head.sum += tail[lid - 1].sum;
    y[head.row] = head.sum;
  }
  // the last run, if it ends with the chunk
  if (begin < end && (end == nnz || rows[end] != run.row))
    y[run.row] = tail[lid].sum;
}

__kernel void coo_plain(__global const int* rows, __global const int* cols, __global const float* vals,
                        __global const float* x, __global float* y, const int nnz)
{
  const int r = get_global_id(0);
  float acc = 0.0f;
  for (int e = 0; e < nnz; ++e)
    if (rows[e] == r)
      acc += vals[e] * x[cols[e]];
  y[r] = acc;
}
