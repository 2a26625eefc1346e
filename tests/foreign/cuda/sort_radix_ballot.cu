// Least significant digit radix sort of 8-bit keys, one bit a pass, positions from ballots and a scan of warp counts.
#define WARPS 4

__device__ __forceinline__ unsigned lanes_below() { return (1u << (threadIdx.x & 31)) - 1; }

__global__ void radix_bits(unsigned int *keys, int bits)
{
    __shared__ unsigned int sorted[WARPS * 32];
    __shared__ unsigned int zeros[WARPS];
    const unsigned tid = threadIdx.x, warp = tid >> 5;
    unsigned key = keys[tid];

    for (int b = 0; b < bits; b++) {
        const bool one = (key >> b) & 1u;
        const unsigned ones = __ballot_sync(0xffffffffu, one);
        if ((tid & 31) == 0) zeros[warp] = 32 - __popc(ones);
        __syncthreads();

        unsigned zeros_before = 0, zeros_all = 0;
        for (unsigned w = 0; w < WARPS; w++) {
            if (w < warp) zeros_before += zeros[w];
            zeros_all += zeros[w];
        }
        unsigned place;
        if (one) place = zeros_all + (warp * 32 - zeros_before) + __popc(ones & lanes_below());
        else     place = zeros_before + __popc(~ones & lanes_below());
        sorted[place] = key;
        __syncthreads();
        key = sorted[tid];
    }
    keys[tid] = key;
}
