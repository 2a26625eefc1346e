#include <math.h>
// Row-wise log-sum-exp in one pass over memory ("online softmax"), together with the column of the largest logit.
// Ties go to the smaller column. One block per row; result.x = lse, result.y = column.

namespace lse {

struct State {
  float peak;   // largest logit so far
  float mass;   // sum of exp(x - peak)
  int   where;  // its column
};

__device__ __forceinline__ State empty() { return State{-INFINITY, 0.f, 0x7fffffff}; }

__device__ __forceinline__ State push(State s, float x, int col)
{
  if (x > s.peak) {
    s.mass = s.mass * __expf(s.peak - x) + 1.f;
    s.peak = x;
    s.where = col;
  } else {
    s.mass += __expf(x - s.peak);
  }
  return s;
}

__device__ __forceinline__ State join(const State& a, const State& b)
{
  if (a.mass == 0.f) return b;
  if (b.mass == 0.f) return a;
  State r;
  r.peak = fmaxf(a.peak, b.peak);
  r.mass = a.mass * __expf(a.peak - r.peak) + b.mass * __expf(b.peak - r.peak);
  if (a.peak == b.peak)
    r.where = min(a.where, b.where);
  else
    r.where = a.peak > b.peak ? a.where : b.where;
  return r;
}

__device__ __forceinline__ State warp_join(State s)
{
#pragma unroll
  for (int mask = 16; mask >= 1; mask >>= 1) {
    State o;
    o.peak  = __shfl_xor_sync(~0u, s.peak, mask);
    o.mass  = __shfl_xor_sync(~0u, s.mass, mask);
    o.where = __shfl_xor_sync(~0u, s.where, mask);
    s = join(s, o);
  }
  return s;
}

}  // namespace lse

template <int kWarps>
__global__ void lse_rows(const float* __restrict__ logits, float2* __restrict__ result, int cols, int ld)
{
  __shared__ lse::State partial[kWarps];
  const int lane_id = threadIdx.x % 32;
  const int warp_id = threadIdx.x / 32;
  const float* row = logits + static_cast<size_t>(blockIdx.x) * ld;

  lse::State s = lse::empty();
  for (int c = threadIdx.x; c < cols; c += kWarps * 32)
    s = lse::push(s, row[c], c);

  s = lse::warp_join(s);
  if (lane_id == 0) partial[warp_id] = s;
  __syncthreads();

  if (warp_id == 0) {
    s = lane_id < kWarps ? partial[lane_id] : lse::empty();
    s = lse::warp_join(s);
    if (lane_id == 0)
      result[blockIdx.x] = make_float2(s.peak + logf(s.mass), static_cast<float>(s.where));
  }
}

// two passes, one thread, double
__global__ void lse_two_pass(const float* logits, float2* result, int cols, int ld)
{
  const float* row = logits + blockIdx.x * ld;
  int best = 0;
  for (int c = 1; c < cols; ++c)
    if (row[c] > row[best]) best = c;
  double sum = 0;
  for (int c = 0; c < cols; ++c) sum += exp((double)row[c] - row[best]);
  result[blockIdx.x] = make_float2((float)(row[best] + log(sum)), (float)best);
}

// logits between -12 and 12 in steps, so that rows have ties
__global__ void make_logits(const int* bytes, float* logits, int count)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) logits[i] = 0.375f * (bytes[i] / 4) - 12.0f;
}
