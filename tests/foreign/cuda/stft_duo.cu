// Short-time power spectra of a real signal. Every block packs two neighbouring frames
// into one complex transform (frame 2b -> real part, frame 2b+1 -> imaginary part).

struct Cpx { float re, im; };

__device__ __forceinline__ Cpx operator+(Cpx a, Cpx b) { return {a.re + b.re, a.im + b.im}; }
__device__ __forceinline__ Cpx operator-(Cpx a, Cpx b) { return {a.re - b.re, a.im - b.im}; }
__device__ __forceinline__ Cpx operator*(Cpx a, Cpx b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
__device__ __forceinline__ float norm2(Cpx a) { return a.re * a.re + a.im * a.im; }

template <int LEN>
__device__ __forceinline__ float hann(int i)
{
    return 0.5f - 0.5f * cospif(2.0f * i / LEN);
}

template <int LOG>
__global__ void stft_power(const float* __restrict__ audio, const Cpx* __restrict__ roots,
                           float* __restrict__ power, int hop, int numFrames)
{
    constexpr int LEN = 1 << LOG;
    constexpr int BINS = LEN / 2 + 1;
    __shared__ Cpx frame[LEN];

    const int tid = threadIdx.x;
    const int f0 = 2 * blockIdx.x;
    const int f1 = f0 + 1;
    const bool pair = f1 < numFrames;

    // window, then scatter to bit-reversed places
    const float* head = audio + f0 * hop;
    for (int i = tid; i < LEN; i += blockDim.x) {
        const float w = hann<LEN>(i);
        Cpx v;
        v.re = w * head[i];
        v.im = pair ? w * head[i + hop] : 0.0f;
        frame[__brev(i) >> (32 - LOG)] = v;
    }
    __syncthreads();

    #pragma unroll
    for (int s = 0; s < LOG; ++s) {
        const int half = 1 << s;
        const int j = tid & (half - 1);
        const int top = ((tid >> s) << (s + 1)) + j;
        const Cpx u = frame[top];
        const Cpx v = frame[top + half] * roots[j << (LOG - 1 - s)];
        frame[top] = u + v;
        frame[top + half] = u - v;
        __syncthreads();
    }

    // X = (Z[k] + conj Z[-k]) / 2,  Y = (Z[k] - conj Z[-k]) / 2i
    float* out = power + f0 * BINS;
    for (int k = tid; k < BINS; k += blockDim.x) {
        const Cpx z = frame[k];
        Cpx m = frame[(LEN - k) & (LEN - 1)];
        m.im = -m.im;
        out[k] = 0.25f * norm2(z + m);
        if (pair) out[BINS + k] = 0.25f * norm2(z - m);
    }
}

// straight from the definition, a (frame, bin) per thread
__global__ void stft_reference(const float* audio, float* power, int len, int hop, int numFrames)
{
    const int bins = len / 2 + 1;
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= bins * numFrames) return;
    const int f = id / bins, k = id % bins;
    double re = 0, im = 0;
    for (int i = 0; i < len; ++i) {
        const double w = 0.5 - 0.5 * cospi(2.0 * i / len);
        const double x = w * audio[f * hop + i];
        re += x * cospi(2.0 * (k * i % len) / len);
        im -= x * sinpi(2.0 * (k * i % len) / len);
    }
    power[id] = (float)(re * re + im * im);
}
