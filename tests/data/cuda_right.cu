// Kernels that do what CUDA says they may: each writes what tests/cuda_language.h expects to find.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>

namespace cg = cooperative_groups;

#define N 256

extern "C" __global__ void add(int *x, const int step) { x[blockIdx.x * blockDim.x + threadIdx.x] += step; }

// Reverses a block through shared memory: wrong without the barrier.
extern "C" __global__ void __launch_bounds__(N) reverse(float *x)
{
  __shared__ float tile[N];
  int l = threadIdx.x, g = blockIdx.x * blockDim.x + l;
  tile[l] = x[g];
  __syncthreads();
  x[g] = tile[blockDim.x - 1 - l];
}

// Several variables in one declaration, two dimensions, a static counter, and what was never written.
extern "C" __global__ void shapes(int *out)
{
  __shared__ int rows[4][8], count, *where;
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    count = 0;
    where = &rows[3][0];
  }
  __syncthreads();
  rows[threadIdx.y][threadIdx.x] = threadIdx.y * 8 + threadIdx.x;
  atomicAdd(&count, 1);
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    out[0] = count;
    out[1] = where[7];
    out[2] = sizeof rows;
    out[3] = blockDim.x * 100 + blockDim.y;
  }
}

extern __shared__ int outside[];

extern "C" __global__ void dynamic(int *out)
{
  extern __shared__ __align__(16) int inside[];
  inside[threadIdx.x] = threadIdx.x * threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = outside[blockDim.x - 1 - threadIdx.x] + *(outside + threadIdx.x) * 1000;
}

extern "C" __global__ void large(int *out)
{
  extern __shared__ int inside[];
  for (int i = threadIdx.x; i < 64 * 1024 / 4; i += blockDim.x) inside[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) out[0] = inside[64 * 1024 / 4 - 1];
}

extern "C" __global__ void unwritten(unsigned *out)
{
  __shared__ unsigned bins[4];
  out[blockIdx.x * blockDim.x + threadIdx.x] = bins[threadIdx.x];
  bins[threadIdx.x] = 1;
}

template <typename T>
__device__ T block_sum(T value)
{
  __shared__ T partial[32];
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;
  __syncthreads();
  T sum = 0;
  for (int w = 0; w < blockDim.x / 32; ++w) sum += partial[w];
  return sum;
}

extern "C" __global__ void sums(int *ints, double *doubles)
{
  int i = block_sum((int)threadIdx.x);
  double d = block_sum(0.5 * threadIdx.x);
  if (threadIdx.x == 0) ints[0] = i, doubles[0] = d;
}

extern "C" __global__ void warps(unsigned *out)
{
  unsigned lane = threadIdx.x % 32;
  unsigned odd = __ballot_sync(0xffffffffu, lane & 1);
  unsigned same = __match_any_sync(0xffffffffu, lane / 8);
  unsigned half = lane < 16 ? __reduce_add_sync(0x0000ffffu, lane) : __reduce_max_sync(0xffff0000u, lane);
  unsigned up = __shfl_up_sync(0xffffffffu, lane, 3), other = __shfl_xor_sync(0xffffffffu, lane, 5, 8);
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  unsigned rank = tile.shfl(lane, 2) + 100 * tile.thread_rank();
  unsigned counted = __syncthreads_count(lane < 5);
  unsigned *mine = out + 8 * threadIdx.x;
  mine[0] = odd, mine[1] = same, mine[2] = half, mine[3] = up, mine[4] = other, mine[5] = rank, mine[6] = counted;
  mine[7] = __syncthreads_or(lane == 40) * 10 + __syncthreads_and(lane < 40);
}

// The lanes that go on alone vote among themselves; those that have left are not waited for.
extern "C" __global__ void leavers(unsigned *out)
{
  if (threadIdx.x >= 20) return;
  out[threadIdx.x] = __ballot_sync(0xffffffffu, threadIdx.x % 2);
}

extern "C" __global__ void grid(int *x, int n)
{
  cg::grid_group all = cg::this_grid();
  int i = all.thread_rank();
  for (int step = 1; step < n; step *= 2) {
    int add = i >= step ? x[i - step] : 0;
    all.sync();
    x[i] += add;
    all.sync();
  }
}

// One item tells the next that its turn has come: works only if waiting items let others go on.
extern "C" __global__ void relay(volatile int *turn, int *out)
{
  while (*turn != (int)threadIdx.x) {}
  out[threadIdx.x] = 10 * threadIdx.x;
  *turn = threadIdx.x + 1;
}

extern "C" __global__ void lock(unsigned *words)
{
  while (atomicCAS(&words[0], 0u, 1u) != 0u) {}
  __threadfence();
  *(volatile unsigned *)&words[1] += 1;
  __threadfence();
  atomicExch(&words[0], 0u);
}

extern "C" __global__ void atomics(int *i, unsigned *u, float *f, double *d)
{
  atomicAdd(&i[0], 2);
  atomicMin(&i[1], (int)threadIdx.x - 7);
  atomicMax(&i[2], (int)threadIdx.x);
  atomicSub(&i[3], 1);
  atomicInc(&u[0], 9u);
  atomicDec(&u[1], 9u);
  atomicXor(&u[2], 1u << (threadIdx.x % 32));
  atomicOr(&u[3], threadIdx.x);
  atomicAdd(f, 0.5f);
  atomicAdd(d, 0.25);
}

extern "C" __global__ void functions(float *f, double *d)
{
  sincospif(f[0], &f[1], &f[2]);
  sincospi(d[0], &d[1], &d[2]);
  f[3] = rsqrtf(4.0f) + fmaf(2.0f, 3.0f, 1.0f) + fabsf(-1.0f) + max(1.0f, 2.0f);
  d[3] = __popc(255u) + __clz(1) + (__brev(1u) >> 31) + __ffs(8) + min(3, 7);
  f[4] = __int_as_float(__float_as_int(1.5f));
  float3 v = make_float3(1, 2, 3);
  dim3 b(2, 3);
  f[5] = v.x + v.y + v.z + b.z;
  f[6] = __sinf(0.5f) - sin(0.5f);
}

extern "C" __global__ void order(int *next, int *who) { who[atomicAdd(next, 1)] = blockIdx.x * blockDim.x + threadIdx.x; }

extern "C" __global__ void order_after(int *next, int *who)
{
  __syncthreads();
  who[atomicAdd(next, 1)] = threadIdx.x;
}

__constant__ float weights[3] = {1, 2, 4};
__device__ int calls = 0;

extern "C" __global__ void globals(float *out)
{
  out[threadIdx.x] = weights[threadIdx.x % 3];
  atomicAdd(&calls, 1);
  __syncthreads();
  if (threadIdx.x == 0) out[3] = calls;
}

// The last of its kind: a long sum without barriers.
extern "C" __global__ void dft(const float2 *x, float2 *X, int n)
{
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  float2 sum = {0, 0};
  for (int j = 0; j < n; ++j) {
    float s, c;
    sincospif(-2.0f * (j * k % n) / n, &s, &c);
    sum.x += x[j].x * c - x[j].y * s;
    sum.y += x[j].x * s + x[j].y * c;
  }
  X[k] = sum;
}
