// Fast Hartley transform of one signal per block.
//
//     H[k] = sum over i of x[i] * cas(2 pi i k / n),   cas(a) = cos(a) + sin(a)
//
// cas(a + b) = cas(a) cos(b) + cas(-a) sin(b), so a stage needs the odd half twice:
// at k and, mirrored, at -k. That does not work in place; two arrays swap roles.

#define TWO_PI 6.28318530717958647692f
#define MAX_POINTS 256

__device__ int reversedIndex(int index, int numberOfBits)
{
    return (int)(__brev((unsigned)index) >> (32 - numberOfBits));
}

__global__ void fastHartley(const float *signal, float *spectrum, int numberOfBits)
{
    __shared__ float first[MAX_POINTS];
    __shared__ float second[MAX_POINTS];

    const int n = 1 << numberOfBits;
    const int tid = threadIdx.x;
    const int offset = blockIdx.x * n;

    float *current = first;
    float *next = second;

    current[reversedIndex(tid, numberOfBits)] = signal[offset + tid];
    __syncthreads();

    for (int stage = 1; stage <= numberOfBits; ++stage)
    {
        const int length = 1 << stage;
        const int half = length / 2;

        const int k = tid % length;        // which output of the group
        const int group = tid - k;         // where the group starts
        const int straight = k % half;
        const int mirrored = (half - straight) % half;

        const float angle = TWO_PI * k / length;
        const float even = current[group + straight];
        const float odd = current[group + half + straight];
        const float oddMirrored = current[group + half + mirrored];

        next[tid] = even + odd * cosf(angle) + oddMirrored * sinf(angle);

        float *swap = current;
        current = next;
        next = swap;
        __syncthreads();
    }

    spectrum[offset + tid] = current[tid];
}

// By the definition, one thread per output.
__global__ void slowHartley(const float *signal, float *spectrum, int n)
{
    const int k = threadIdx.x;
    const int offset = blockIdx.x * n;

    double sum = 0.0;
    for (int i = 0; i < n; ++i)
    {
        const double angle = 6.28318530717958647692 * ((i * k) % n) / n;
        sum += signal[offset + i] * (cos(angle) + sin(angle));
    }
    spectrum[offset + k] = (float)sum;
}
