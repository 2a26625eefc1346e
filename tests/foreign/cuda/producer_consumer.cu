// Two warps: one fills a two-slot ring in shared memory, the other doubles and stores. Flags are volatile, fences order data.
#define SLOTS 2

__global__ void ring(const int *in, int *out, int rounds)
{
  __shared__ int slot[SLOTS][32];
  __shared__ volatile int full[SLOTS];
  const int lane = threadIdx.x & 31;
  const bool producer = threadIdx.x < 32;
  if (threadIdx.x < SLOTS) full[threadIdx.x] = 0;
  __syncthreads();

  for (int r = 0; r < rounds; ++r) {
    const int k = r % SLOTS;
    if (producer) {
      while (full[k] != 0) __nanosleep(20);
      __syncwarp();
      slot[k][lane] = in[r * 32 + lane];
      __threadfence_block();
      __syncwarp();
      if (lane == 0) full[k] = 1;
    } else {
      while (full[k] == 0) __nanosleep(20);
      __threadfence_block();
      __syncwarp();
      out[r * 32 + lane] = 2 * slot[k][lane];
      __syncwarp();
      __threadfence_block();
      if (lane == 0) full[k] = 0;
    }
    __syncwarp();
  }
}
