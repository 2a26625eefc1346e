// One FFT per block, written as a class. Decimation in time, shared memory.
template <typename T>
struct Complex {
    T re, im;
    __device__ Complex operator+(const Complex& o) const { return {re + o.re, im + o.im}; }
    __device__ Complex operator-(const Complex& o) const { return {re - o.re, im - o.im}; }
    __device__ Complex operator*(const Complex& o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
};

template <typename T, int LOG2N>
class BlockFFT {
public:
    static constexpr int N = 1 << LOG2N;
    using C = Complex<T>;

    __device__ BlockFFT(C* scratch, int thread) : s(scratch), tid(thread) {}

    __device__ void load(const C* src) {
        for (int i = tid; i < N; i += N / 2)
            s[__brev((unsigned)i) >> (32 - LOG2N)] = src[i];
        __syncthreads();
    }

    __device__ void operator()() {
        for (int stage = 0; stage < LOG2N; ++stage) {
            const int m = 1 << stage;
            const int j = tid & (m - 1);
            const int lo = 2 * tid - j;
            const C t = root(j, 2 * m) * s[lo + m];
            const C u = s[lo];
            s[lo] = u + t;
            s[lo + m] = u - t;
            __syncthreads();
        }
    }

    __device__ void store(C* dst) const {
        for (int i = tid; i < N; i += N / 2)
            dst[i] = s[i];
    }

private:
    static __device__ C root(int k, int of) {
        T sn, cs;
        sincospif(-2.0f * k / of, &sn, &cs);
        return {cs, sn};
    }

    C* s;
    int tid;
};

extern "C" __global__ void fft_blocks(const float2* x, float2* X)
{
    using FFT = BlockFFT<float, 5>;
    __shared__ Complex<float> scratch[FFT::N];
    FFT fft(scratch, threadIdx.x);
    const size_t row = (size_t)blockIdx.x * FFT::N;
    fft.load(reinterpret_cast<const Complex<float>*>(x) + row);
    fft();
    fft.store(reinterpret_cast<Complex<float>*>(X) + row);
}
