// Sums of segments given by row pointers, a warp a segment; an empty segment sums to zero.
extern "C" __global__ void segment_sums(const double *values, const int *offsets, double *sums, int segments)
{
    int warp = threadIdx.y + blockIdx.y * blockDim.y;
    int lane = threadIdx.x;                       // blockDim.x == 32
    if (warp >= segments)
        return;

    const double *it = values + offsets[warp] + lane;
    const double *const end = values + offsets[warp + 1];
    double acc = 0.0;
    while (it < end)
    {
        acc += *it;
        it += 32;
    }

    for (int mask = 16; mask != 0; mask /= 2)
        acc += __shfl_xor_sync(0xFFFFFFFF, acc, mask);

    if (lane == 31)
        sums[warp] = acc;
}
