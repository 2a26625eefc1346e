// Kernels that do what no kernel may. The tests know these lines by number.
extern "C" __global__ void past_end(int *nums, int n) { nums[threadIdx.x] = nums[threadIdx.x + n]; }
extern "C" __global__ void before_start(int *nums) {
  nums[(int)threadIdx.x - 2] = 1;
}
extern "C" __global__ void far_away(float *nums) { nums[0] = nums[4294967295u * (threadIdx.x / 3)]; }
extern "C" __global__ void null_pointer(int *nums) { int *p = nums[0] ? nums : nullptr; nums[1] = *p; }
extern "C" __global__ void shared_end(int *nums, int n) {
  __shared__ int tile[8], next[8];
  tile[threadIdx.x + n] = 1;
  nums[0] = next[0];
}
extern "C" __global__ void shared_pointer(int *nums, int n) {
  __shared__ int tile[8], next[8];
  int *row = tile;
  row[threadIdx.x + n] = 1;
  nums[0] = next[0] + tile[1];
}
extern "C" __global__ void dynamic_end(int *nums) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = 1;
  nums[0] = tile[0];
}
extern "C" __global__ void local_array(int *nums, int n) {
  int v[4] = {1, 2, 3, 4};
  v[n] = 5;
  nums[0] = v[n - 1];
}
extern "C" __global__ void neighbour(int **where, int *nums) {
  int mine = threadIdx.x;
  if (threadIdx.x == 0) where[0] = &mine;
  __syncthreads();
  if (threadIdx.x == 1) nums[0] = *where[0];
  __syncthreads();
}
extern "C" __global__ void early_return(int *nums, int n) {
  if (threadIdx.x == 5) return;
  __syncthreads();
  nums[threadIdx.x] = n;
}
extern "C" __global__ void two_barriers(int *nums) {
  if (threadIdx.x < 3)
    __syncthreads();
  else
    __syncthreads();
  nums[0] = 1;
}
extern "C" __global__ void warp_and_barrier(int *nums) {
  if (threadIdx.x < 3) __syncthreads();
  else nums[threadIdx.x] = __ballot_sync(0xffffffffu, 1);
}
extern "C" __global__ void not_in_mask(int *nums) { nums[0] = __ballot_sync(2u, 1); }
extern "C" __global__ void endless_wait(volatile int *flag) {
  if (blockIdx.x == 0) while (*flag == 0) {}
  else *flag = 1;
}
extern "C" __global__ void endless_lock(unsigned *words) {
  while (atomicCAS(words, 0u, 1u) != 0u) {}
}
extern "C" __global__ void endless_loop(int *nums) {
  for (int span = 2; span != 1; span = span * 2 % 30) nums[1] = span;
}
extern "C" __global__ void silent_loop(int *nums) {
  unsigned x = nums[0];
  while (x != 3) x = x * 5u & ~2u;
  nums[1] = x;
}
extern "C" __global__ void by_zero(int *nums, int span) { nums[0] = 7 % (span + (int)threadIdx.x - 1); }
extern "C" __global__ void overflow(int *nums, int minus_one) { nums[0] = nums[1] / minus_one; }
__device__ int deep(int n, int *nums) { int big[64]; big[n & 63] = n; return n == 0 ? nums[0] : deep(n - 1, nums) + big[n & 31]; }
extern "C" __global__ void recursion(int *nums, int n) { nums[0] = deep(n, nums); }
extern "C" __global__ void large_frame(int *nums, int n) {
  volatile char big[300000];
  big[n] = 1;
  nums[0] = big[n];
}
extern "C" __global__ void asserts(int *nums) { assert(nums[0] == 1); }
extern "C" __global__ void trap(int *nums) { if (nums[0] == 0) __trap(); }
#include <cooperative_groups.h>
extern "C" __global__ void grid_barrier(int *nums) {
  cooperative_groups::this_grid().sync();
}
extern "C" __global__ void grid_early(int *nums) {
  if (blockIdx.x == 1 && threadIdx.x == 2) return;
  cooperative_groups::this_grid().sync();
}
