// Exclusive prefix sums of any length by one block that walks over the data, 256 numbers a step, and carries its total.
constexpr int kThreads = 64;
constexpr int kWarps = kThreads / 32;
constexpr int kChunk = 4 * kThreads;

struct Plus {
  template <typename T>
  __device__ T operator()(const T& a, const T& b) const { return a + b; }
};

template <typename T, typename Op>
__device__ T warp_inclusive(T value, Op op) {
  const int lane = threadIdx.x % warpSize;
#pragma unroll
  for (int d = 1; d < 32; d <<= 1) {
    const T other = __shfl_up_sync(0xffffffff, value, d);
    if (lane >= d) value = op(other, value);
  }
  return value;
}

__device__ int4 load4(const int* p, int i, int n) {
  if (i + 4 <= n) return *reinterpret_cast<const int4*>(p + i);
  int4 v = make_int4(0, 0, 0, 0);
  if (i < n) v.x = p[i];
  if (i + 1 < n) v.y = p[i + 1];
  if (i + 2 < n) v.z = p[i + 2];
  return v;
}

extern "C" __global__ void exclusive_scan(const int* in, int* out, int n) {
  __shared__ int totals[kWarps];
  __shared__ int carry;

  const int warp = threadIdx.x / 32;
  if (threadIdx.x == 0) carry = 0;

  for (int base = 0; base < n; base += kChunk) {
    const int i = base + 4 * threadIdx.x;
    const int4 v = load4(in, i, n);
    const int mine = v.x + v.y + v.z + v.w;
    const int upto = warp_inclusive(mine, Plus());
    if (threadIdx.x % 32 == 31) totals[warp] = upto;
    __syncthreads();

    int sum = carry + upto - mine;
    for (int w = 0; w < warp; ++w) sum += totals[w];
    const int total = sum + mine;

    if (i < n) out[i] = sum;
    sum += v.x;
    if (i + 1 < n) out[i + 1] = sum;
    sum += v.y;
    if (i + 2 < n) out[i + 2] = sum;
    sum += v.z;
    if (i + 3 < n) out[i + 3] = sum;

    __syncthreads();
    if (threadIdx.x == kThreads - 1) carry = total;
  }
}
