// Evaluate polynomials in Chebyshev form: structure of arrays, moving pointers, do-while.
struct Soa { float *b1, *b2; };

static __device__ float clenshaw(const float *c, int n, float x, Soa s, int t)
{
    s.b1[t] = 0.f;
    s.b2[t] = 0.f;
    const float *p = c + n - 1;
    int k = n - 1;
    do {
        float b = 2.f * x * s.b1[t] - s.b2[t] + *p--;
        s.b2[t] = s.b1[t];
        s.b1[t] = b;
    } while (--k > 0);
    return x * s.b1[t] - s.b2[t] + *p;
}

extern "C" __global__ void chebyshev(const float *coeff, float *value, int n, int points)
{
    __shared__ float work[2][32];
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (g < points) {
        float x = cospif((g + 0.5f) / points);
        Soa s = {work[0], work[1]};
        value[g] = clenshaw(coeff, n, x, s, threadIdx.x);
    }
}
