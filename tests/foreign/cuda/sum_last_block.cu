// threadFenceReduction style: the block that arrives last adds up the partial sums.
__device__ unsigned int retirementCount = 0;
__shared__ bool amLast;

template <unsigned int blockSize>
__device__ void reduceBlock(volatile float *sdata, float mySum, const unsigned int tid)
{
    sdata[tid] = mySum;
    __syncthreads();
    for (unsigned int s = blockSize / 2; s > 0; s >>= 1)
    {
        if (tid < s)
            sdata[tid] = mySum = mySum + sdata[tid + s];
        __syncthreads();
    }
}

template <unsigned int blockSize>
__global__ void reduceSinglePass(const float *g_idata, float *g_partial, float *g_total, unsigned int n)
{
    __shared__ float sdata[blockSize];
    const unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockSize * 2 + tid;
    const unsigned int gridSize = blockSize * 2 * gridDim.x;
    float mySum = 0;

    while (i < n)
    {
        mySum += g_idata[i];
        if (i + blockSize < n)
            mySum += g_idata[i + blockSize];
        i += gridSize;
    }
    reduceBlock<blockSize>(sdata, mySum, tid);

    if (tid == 0)
    {
        g_partial[blockIdx.x] = sdata[0];
        __threadfence();
        unsigned int ticket = atomicInc(&retirementCount, gridDim.x);
        amLast = (ticket == gridDim.x - 1);
    }
    __syncthreads();

    if (amLast)
    {
        float sum = 0;
        for (unsigned int j = tid; j < gridDim.x; j += blockSize)
            sum += ((volatile float *)g_partial)[j];
        reduceBlock<blockSize>(sdata, sum, tid);
        if (tid == 0)
        {
            *g_total = sdata[0];
            retirementCount = 0;
        }
    }
}
