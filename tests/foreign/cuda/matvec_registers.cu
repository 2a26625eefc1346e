// y = M x: a block holds a strip of x in shared memory, a thread a row; the map comes with the plan.
extern "C" __global__ void matvec(const double2 *__restrict__ M, const double2 *__restrict__ x, double2 *__restrict__ y, const int n)
{
    __shared__ double2 strip[8];
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    double2 acc = {0.0, 0.0};
    for (int j0 = 0; j0 < n; j0 += 8) {
        __syncthreads();
        if (threadIdx.x < 8 && j0 + threadIdx.x < n) strip[threadIdx.x] = x[j0 + threadIdx.x];
        __syncthreads();
        const int len = n - j0 < 8 ? n - j0 : 8;
        for (int j = 0; j < len; ++j) {
            const double2 m = M[row * n + j0 + j], v = strip[j];
            acc.x += m.x * v.x - m.y * v.y;
            acc.y += m.x * v.y + m.y * v.x;
        }
    }
    y[row] = acc;
}
