#include <cuda_runtime.h>

/* 64-point backward FFT, unitary (1/sqrt(64)), by one warp: lane L holds x[L] and x[L+32].
 * Decimation in frequency. The first layer is inside the lane, the five others go through shuffles;
 * no shared memory at all. A lane ends up with two neighbouring bins, stored as one float4. */

constexpr unsigned kFullMask = 0xffffffffu;

struct Cplx {
    float re, im;
    __device__ Cplx operator+(const Cplx& o) const { return {re + o.re, im + o.im}; }
    __device__ Cplx operator-(const Cplx& o) const { return {re - o.re, im - o.im}; }
    __device__ Cplx operator*(const Cplx& o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
};

__device__ inline Cplx Expi(float turns) {
    Cplx w;
    sincospif(2.0f * turns, &w.im, &w.re);
    return w;
}

template <int H>
__device__ inline void Layer(Cplx& v, unsigned lane) {
    const bool upper = (lane & H) != 0;
    const float sign = upper ? -1.0f : 1.0f;
    const Cplx other = {__shfl_xor_sync(kFullMask, v.re, H), __shfl_xor_sync(kFullMask, v.im, H)};
    v.re = other.re + sign * v.re;
    v.im = other.im + sign * v.im;
    if (upper) {
        const float turns = (lane & (H - 1)) / (2.0f * H);
        v = v * Expi(turns);
    }
}

__device__ inline void Warp32(Cplx& v, unsigned lane) {
    Layer<16>(v, lane);
    Layer<8>(v, lane);
    Layer<4>(v, lane);
    Layer<2>(v, lane);
    Layer<1>(v, lane);
}

__global__ void Fft64(const float2* __restrict__ in, float4* __restrict__ out, int transforms) {
    const unsigned lane = threadIdx.x % 32;
    const int which = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (which >= transforms) return;   // whole warps only

    const float2 lo = in[which * 64 + lane];
    const float2 hi = in[which * 64 + lane + 32];
    const Cplx p{lo.x, lo.y}, q{hi.x, hi.y};

    Cplx even = p + q;
    Cplx odd = (p - q) * Expi(lane / 64.0f);
    Warp32(even, lane);
    Warp32(odd, lane);

    const float norm = 0.125f;
    const unsigned bin = __brev(lane) >> 27;
    out[which * 32 + bin] = make_float4(norm * even.re, norm * even.im, norm * odd.re, norm * odd.im);
}
