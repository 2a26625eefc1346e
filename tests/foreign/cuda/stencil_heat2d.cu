// Two Jacobi steps of the heat equation; 2-D tile with a one-cell rim, borders are copied.
#define BX 16
#define BY 8
#define IDX(x, y) ((y) * nx + (x))

__global__ void heat(const float *__restrict__ u, float *__restrict__ v, int nx, int ny, float r)
{
    __shared__ float s[BY + 2][BX + 2];
    const int gx = blockIdx.x * BX + threadIdx.x, gy = blockIdx.y * BY + threadIdx.y;
    const int lx = threadIdx.x + 1, ly = threadIdx.y + 1;

    if (gx < nx && gy < ny) {
        s[ly][lx] = u[IDX(gx, gy)];
        if (threadIdx.x == 0 && gx > 0)           s[ly][0] = u[IDX(gx - 1, gy)];
        if (threadIdx.x == BX - 1 && gx < nx - 1) s[ly][BX + 1] = u[IDX(gx + 1, gy)];
        if (threadIdx.y == 0 && gy > 0)           s[0][lx] = u[IDX(gx, gy - 1)];
        if (threadIdx.y == BY - 1 && gy < ny - 1) s[BY + 1][lx] = u[IDX(gx, gy + 1)];
    }
    __syncthreads();

    if (gx >= nx || gy >= ny) return;
    if (gx == 0 || gy == 0 || gx == nx - 1 || gy == ny - 1) {
        v[IDX(gx, gy)] = s[ly][lx];
        return;
    }
    v[IDX(gx, gy)] = s[ly][lx] + r * (s[ly][lx - 1] + s[ly][lx + 1] + s[ly - 1][lx] + s[ly + 1][lx] - 4.0f * s[ly][lx]);
}
