// Arg-max: value and index packed into 64 bits so that one atomicMax decides; first index wins ties.
typedef unsigned long long u64;

__device__ unsigned ordered(float f)
{
    unsigned u = __float_as_uint(f);
    return u & 0x80000000u ? ~u : u | 0x80000000u;
}

__device__ u64 pack(float f, unsigned i) { return (u64)ordered(f) << 32 | (0xffffffffu - i); }

extern "C" __global__ void argmax_atomic(const float *x, uint2 *best, unsigned n)
{
    u64 mine = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        u64 c = pack(x[i], i);
        mine = mine > c ? mine : c;
    }
    for (int d = 16; d > 0; d >>= 1) {
        u64 o = __shfl_down_sync(0xffffffffu, mine, d);
        if (o > mine) mine = o;
    }
    if ((threadIdx.x & 31) == 0) atomicMax(reinterpret_cast<u64 *>(best), mine);
}

extern "C" __global__ void unpack(const uint2 *best, int *index) { *index = (int)(0xffffffffu - best->x); }
