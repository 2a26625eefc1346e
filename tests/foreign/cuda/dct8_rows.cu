// JPEG-like 8-point DCT-II of rows; the cosine table is filled by the block itself.
#define W 8
#define ROWS_PER_BLOCK 4

__global__ void dct_rows(const float * __restrict__ pixels, float * __restrict__ coeff)
{
    __shared__ float table[W][W];
    __shared__ float row[ROWS_PER_BLOCK][W];

    int k = threadIdx.x, r = threadIdx.y;
    int line = blockIdx.x * ROWS_PER_BLOCK + r;

    for (int q = r; q < W; q += ROWS_PER_BLOCK)
        table[q][k] = cospif((2 * k + 1) * q / (2.0f * W));
    row[r][k] = pixels[line * W + k];
    __syncthreads();

    float sum = 0.0f;
    #pragma unroll
    for (int n = 0; n < W; n++)
        sum += row[r][n] * table[k][n];
    coeff[line * W + k] = sum;
}
