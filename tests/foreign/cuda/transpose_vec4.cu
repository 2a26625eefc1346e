// Transpose with 16-byte loads and stores: rows and columns are multiples of four.
constexpr int T = 16;

extern "C" __global__ void transpose4(const float4* __restrict__ a, float4* __restrict__ b, int rows, int cols)
{
    __shared__ float tile[T][T + 1];
    const int q = threadIdx.x;        // which four
    const int r = threadIdx.y;

    int row = blockIdx.y * T + r;
    int col = blockIdx.x * T + 4 * q;
    if (row < rows && col < cols) {
        const float4 v = a[(row * cols + col) / 4];
        tile[r][4 * q + 0] = v.x;
        tile[r][4 * q + 1] = v.y;
        tile[r][4 * q + 2] = v.z;
        tile[r][4 * q + 3] = v.w;
    }
    __syncthreads();

    row = blockIdx.x * T + r;
    col = blockIdx.y * T + 4 * q;
    if (row < cols && col < rows)
        b[(row * rows + col) / 4] = make_float4(tile[4 * q][r], tile[4 * q + 1][r], tile[4 * q + 2][r], tile[4 * q + 3][r]);
}
