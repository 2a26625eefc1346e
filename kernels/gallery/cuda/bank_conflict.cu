// Gallery: a bank conflict. Shared memory has 32 banks of 4 bytes, in turn. The tile is written by rows and read by columns; in a
// row of 32 elements all of a column are in one bank, and 32 threads wait for each other. A row of 33 puts them into 32 banks.
#include "trace_device.h"

#ifdef RIGHT
#define PITCH 33
#else
#define PITCH 32
#endif

// A block of 32 threads transposes a tile of 32 × 32: y = x transposed, both n × n.
extern "C" __global__ void transpose(const float *x, float *y, int n TRACE_PARAMS)
{
  __shared__ float tile[32 * PITCH];
  int lid = threadIdx.x, tiles = n / 32;
  int row = blockIdx.x / tiles * 32, column = blockIdx.x % tiles * 32;

  for (int r = 0; r < 32; ++r) {
    int from = (row + r) * n + column + lid;
    float v = x[from];
    tile[r * PITCH + lid] = v;
    TRACE_MOVE(tile, r * PITCH + lid, x, from, v);
  }
  __syncthreads();
  TRACE_BARRIER();

  for (int c = 0; c < 32; ++c) {
    int to = (column + c) * n + row + lid;
    float v = tile[lid * PITCH + c];
    y[to] = v;
    TRACE_MOVE(y, to, tile, lid * PITCH + c, v);
  }
}
