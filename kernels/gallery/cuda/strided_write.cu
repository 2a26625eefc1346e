// Gallery: writing by columns. Neighbouring threads write n elements apart, so that each needs a sector of 32 bytes of its own and
// uses 4 of them. Through a tile in shared memory they read and write in order.
#include "trace_device.h"

// n × n elements, 32 to a block: y = x transposed.
#ifndef RIGHT
extern "C" __global__ void transpose(const float *x, float *y, int n TRACE_PARAMS)
{
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  int row = g / n, column = g % n;
  float v = x[g];
  y[column * n + row] = v;
  TRACE_MOVE(y, column * n + row, x, g, v);
}
#else
extern "C" __global__ void transpose(const float *x, float *y, int n TRACE_PARAMS)
{
  __shared__ float tile[32 * 33];
  int lid = threadIdx.x, tiles = n / 32;
  int row = blockIdx.x / tiles * 32, column = blockIdx.x % tiles * 32;

  for (int r = 0; r < 32; ++r) {
    int from = (row + r) * n + column + lid;
    float v = x[from];
    tile[r * 33 + lid] = v;
    TRACE_MOVE(tile, r * 33 + lid, x, from, v);
  }
  __syncthreads();
  TRACE_BARRIER();

  for (int c = 0; c < 32; ++c) {
    int to = (column + c) * n + row + lid;
    float v = tile[lid * 33 + c];
    y[to] = v;
    TRACE_MOVE(y, to, tile, lid * 33 + c, v);
  }
}
#endif
