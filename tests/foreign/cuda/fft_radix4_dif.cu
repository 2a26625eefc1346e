// Radix-4 decimation in frequency in place, 64 points, digits reversed at the end. Table in a struct of two pointers.
struct Cplx {
    float r, i;
    friend __device__ Cplx operator+(Cplx a, Cplx b) { return {a.r + b.r, a.i + b.i}; }
    friend __device__ Cplx operator-(Cplx a, Cplx b) { return {a.r - b.r, a.i - b.i}; }
    friend __device__ Cplx operator*(Cplx a, Cplx b) { return {a.r * b.r - a.i * b.i, a.r * b.i + a.i * b.r}; }
    __device__ Cplx times_minus_i() const { return {i, -r}; }
};

__global__ void dif4(Cplx *x, const Cplx *tw, int n, int quarter)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    const int j = t % quarter;
    Cplx *p = x + (t / quarter) * 4 * quarter + j;
    const int step = n / (4 * quarter);

    Cplx a = p[0], b = p[quarter], c = p[2 * quarter], d = p[3 * quarter];
    Cplx ac = a + c, bd = b + d;
    Cplx a_c = a - c, b_d = (b - d).times_minus_i();

    p[0] = ac + bd;
    p[quarter] = (a_c + b_d) * tw[j * step];
    p[2 * quarter] = (ac - bd) * tw[2 * j * step];
    p[3 * quarter] = (a_c - b_d) * tw[3 * j * step];
}

__global__ void digit_reverse(const Cplx *x, Cplx *y)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned r = ((i & 3) << 4) | (i & 12) | (i >> 4);
    y[r] = x[i];
}
