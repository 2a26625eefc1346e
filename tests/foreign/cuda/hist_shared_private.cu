// Histogram with a private copy in shared memory, flushed at the end.
#define NUM_BINS 16

__global__ void histogram_shared(const unsigned int *data, unsigned int *bins, int n)
{
    __shared__ unsigned int local[NUM_BINS];

    for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x)
        local[b] = 0u;
    __syncthreads();

    int stride = blockDim.x * gridDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    {
        unsigned int v = data[i];
        if (v < NUM_BINS)
            atomicAdd(local + v, 1u);
    }
    __syncthreads();

    for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x)
        if (local[b] != 0u)
            atomicAdd(&bins[b], local[b]);
}
