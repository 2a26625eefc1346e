// Prime factor FFT: 28 = 4 * 7, both index maps without twiddles between them.
#define PFA_N1 4
#define PFA_N2 7
#define PFA_N  (PFA_N1 * PFA_N2)

__device__ inline float2 cmadd(float2 acc, float2 a, float2 w)
{
    acc.x += a.x * w.x - a.y * w.y;
    acc.y += a.x * w.y + a.y * w.x;
    return acc;
}

extern "C" __global__ void pfa28(const float2 *x, float2 *y)
{
    __shared__ float2 grid[PFA_N1][PFA_N2];
    __shared__ float2 half_done[PFA_N1][PFA_N2];

    const int t = threadIdx.x;
    const float2 *src = x + blockIdx.x * PFA_N;
    float2 *dst = y + blockIdx.x * PFA_N;
    const int r = t / PFA_N2, c = t % PFA_N2;

    auto unit = [](int k, int n) {
        float s, co;
        sincosf(-6.2831853f * (k % n) / n, &s, &co);
        return make_float2(co, s);
    };

    grid[r][c] = src[(PFA_N2 * r + PFA_N1 * c) % PFA_N];
    __syncthreads();

    float2 sum = make_float2(0.f, 0.f);
    for (int i = 0; i < PFA_N1; i++)
        sum = cmadd(sum, grid[i][c], unit(i * r, PFA_N1));
    half_done[r][c] = sum;
    __syncthreads();

    sum = make_float2(0.f, 0.f);
    for (int i = 0; i < PFA_N2; i++)
        sum = cmadd(sum, half_done[r][i], unit(i * c, PFA_N2));
    dst[(21 * r + 8 * c) % PFA_N] = sum;
}
