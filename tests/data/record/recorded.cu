// Kernels that know of no recorder: what tests/data/record/recorded.zst holds the accesses of.
//   recorded OUTPUT
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include <cstdio>
#include <vector>

constexpr unsigned n = 64;

__global__ void stage(float2* x, unsigned half) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, k = i & (half - 1), p = 2 * i - k, q = p + half;
  float s, c;
  sincosf(-3.14159265358979323846f * (float)k / (float)half, &s, &c);
  float2 a = x[p];
  float2 b = x[q];
  float2 t = make_float2(c * b.x - s * b.y, c * b.y + s * b.x);
  x[p] = make_float2(a.x + t.x, a.y + t.y);
  x[q] = make_float2(a.x - t.x, a.y - t.y);
}

__global__ void tree_sum(const float* x, float* out) {
  __shared__ float s[32];
  unsigned l = threadIdx.x;
  s[l] = x[blockIdx.x * blockDim.x + l];
  for (unsigned d = blockDim.x / 2; d > 0; d >>= 1) {
    __syncthreads();
    if (l < d) s[l] += s[l + d];
  }
  if (l == 0) out[blockIdx.x] = s[0];
}

__global__ void count(const unsigned* x, unsigned* bins) {
  atomicAdd(&bins[x[threadIdx.x] & 3], 1u);
}

__device__ __noinline__ float4 doubled(const float4* p) {
  float4 v = *p;
  return make_float4(2 * v.x, 2 * v.y, 2 * v.z, 2 * v.w);
}

__global__ void wide(const float4* a, float4* b) {
  b[threadIdx.x] = doubled(a + threadIdx.x);
}

__global__ void async_copy(const float4* in, float4* out) {
  __shared__ float4 s[32];
  auto block = cooperative_groups::this_thread_block();
  cooperative_groups::memcpy_async(block, s, in, sizeof s);
  cooperative_groups::wait(block);
  out[threadIdx.x] = s[31 - threadIdx.x];
}

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: recorded FILE, which what comes out is written to\n");
    return 2;
  }
  std::vector<float2> x(n);
  for (unsigned i = 0; i < n; ++i) x[i] = make_float2(1.0f / (float)(i + 1), (float)(i * 37 % 64) / 64 - 0.5f);
  std::vector<unsigned> word(n);
  for (unsigned i = 0; i < n; ++i) word[i] = i * i;
  float2 *a, *b;
  unsigned *w, *bins;
  cudaMalloc(&a, n * sizeof(float2));
  cudaMalloc(&b, n * sizeof(float2));
  cudaMalloc(&w, n * sizeof(unsigned));
  cudaMalloc(&bins, 4 * sizeof(unsigned));
  cudaMemcpy(a, x.data(), n * sizeof(float2), cudaMemcpyHostToDevice);
  cudaMemcpy(w, word.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
  cudaMemset(bins, 0, 4 * sizeof(unsigned));
  for (unsigned half = 1; half < n; half *= 2) stage<<<2, 16>>>(a, half);
  tree_sum<<<4, 32>>>((const float*)a, (float*)b);
  count<<<1, 4>>>(w, bins);
  wide<<<1, 32>>>((const float4*)a, (float4*)b);
  async_copy<<<1, 32>>>((const float4*)a, (float4*)b);
  cudaMemcpy(x.data(), b, n * sizeof(float2), cudaMemcpyDeviceToHost);
  FILE* file = fopen(arguments[1], "wb");
  fwrite(x.data(), sizeof(float2), n, file);
  fclose(file);
  return 0;
}
