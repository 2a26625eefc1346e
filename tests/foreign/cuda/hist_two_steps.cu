// Histogram: a table for every warp, a row of global memory for every block, then the columns are added up.
enum { BINS = 12, WARPS = 2, THREADS = WARPS * 32 };

__global__ void count_blocks(const float *__restrict__ values, unsigned *__restrict__ rows, int n)
{
    __shared__ unsigned table[WARPS][BINS];
    for (int i = threadIdx.x; i < WARPS * BINS; i += THREADS)
        (&table[0][0])[i] = 0;
    __syncthreads();

    unsigned *mine = table[threadIdx.x >> 5];
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) {
        int bin = (int)floorf(values[i]);
        bin = max(0, min(bin, BINS - 1));
        atomicAdd(&mine[bin], 1u);
    }
    __syncthreads();

    if (threadIdx.x < BINS) {
        unsigned sum = 0;
        for (int w = 0; w < WARPS; w++)
            sum += table[w][threadIdx.x];
        rows[blockIdx.x * BINS + threadIdx.x] = sum;
    }
}

__global__ void add_columns(const unsigned *__restrict__ rows, unsigned *__restrict__ bins, int blocks)
{
    unsigned sum = 0;
    for (int b = 0; b < blocks; b++)
        sum += rows[b * BINS + threadIdx.x];
    bins[threadIdx.x] = sum;
}
