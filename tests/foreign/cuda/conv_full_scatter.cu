// Polynomial product: every thread scatters its coefficient with atomics.
extern "C" __global__ void polymul(const float *a, int na, const float *b, int nb, float *c)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= na || j >= nb) return;
    atomicAdd(&c[i + j], a[i] * b[j]);
}
