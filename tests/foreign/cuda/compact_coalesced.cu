// Warp-aggregated filter with coalesced groups; the order does not matter, so the kept values are sorted afterwards.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ int atomicAggInc(int *counter)
{
    cg::coalesced_group active = cg::coalesced_threads();
    int first = 0;
    if (active.thread_rank() == 0) first = atomicAdd(counter, (int)active.size());
    return active.shfl(first, 0) + active.thread_rank();
}

__global__ void filter(const float *src, float *dst, int *kept, int n, float limit)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) return;
    if (src[i] > limit) dst[atomicAggInc(kept)] = src[i];
}

__global__ void insertion_sort(float *v, const int *count)
{
    for (int i = 1; i < *count; ++i) {
        float x = v[i];
        int j = i;
        while (j > 0 && v[j - 1] > x) { v[j] = v[j - 1]; --j; }
        v[j] = x;
    }
}
