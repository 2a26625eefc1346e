#define LANES 4
typedef struct { int begin, end; } range;

inline range row_range(__global const int *ptr, int r)
{
  range q;
  q.begin = ptr[r], q.end = ptr[r + 1];
  return q;
}

__kernel void spmv_vector(__global const int *ptr, __global const int *col, __global const float *val,
                          __global const float *x, __global float *y, int rows)
{
  __local volatile float part[32];
  const int t = get_local_id(0), lane = t & (LANES - 1);
  const int row = get_global_id(0) / LANES;
  float sum = 0;
  if (row < rows) {
    const range r = row_range(ptr, row);
    for (int j = r.begin + lane; j < r.end; j += LANES)
      sum += val[j] * x[col[j]];
  }
  part[t] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane < 2) part[t] += part[t + 2];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane == 0 && row < rows) y[row] = part[t] + part[t + 1];
}
