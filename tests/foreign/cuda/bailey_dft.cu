// Bailey's four-step FFT, textbook version: N = nRows * nCols, any lengths.
//   1  transpose        rows x cols -> cols x rows
//   2  row DFTs of length nRows, multiplied by the twist w_N^(c*k)
//   3  transpose back
//   4  row DFTs of length nCols, then one more transpose for natural order

#define TILE 8

__device__ float2 RootOfUnity(int nNum, int nDen)
{
    float fAngle = -6.283185307179586f * (float)nNum / (float)nDen;
    return make_float2(cosf(fAngle), sinf(fAngle));
}

__device__ float2 ComplexMul(float2 a, float2 b)
{
    float2 c;
    c.x = a.x * b.x - a.y * b.y;
    c.y = a.y * b.x + a.x * b.y;
    return c;
}

__global__ void TransposeTiled(const float2 *pIn, float2 *pOut, int nRows, int nCols)
{
    __shared__ float2 tile[TILE][TILE + 1];

    int nCol = blockIdx.x * TILE + threadIdx.x;
    int nRow = blockIdx.y * TILE + threadIdx.y;
    if (nRow < nRows && nCol < nCols)
        tile[threadIdx.y][threadIdx.x] = pIn[nRow * nCols + nCol];

    __syncthreads();

    int nOutCol = blockIdx.y * TILE + threadIdx.x;
    int nOutRow = blockIdx.x * TILE + threadIdx.y;
    if (nOutRow < nCols && nOutCol < nRows)
        pOut[nOutRow * nRows + nOutCol] = tile[threadIdx.x][threadIdx.y];
}

// One block per row, one thread per output of the row.
// nTotal == 0: plain DFT; otherwise the results get the twist of the four-step method.
__global__ void RowDft(const float2 *pIn, float2 *pOut, int nLen, int nTotal)
{
    extern __shared__ float2 smem[];
    float2 *pRow = smem;
    float2 *pRoot = smem + nLen;
    int k = threadIdx.x;
    int nBase = blockIdx.x * nLen;

    pRow[k] = pIn[nBase + k];
    pRoot[k] = RootOfUnity(k, nLen);
    __syncthreads();

    float2 acc = make_float2(0.0f, 0.0f);
    int nPhase = 0;
    for (int j = 0; j < nLen; j++)
    {
        float2 term = ComplexMul(pRow[j], pRoot[nPhase]);
        acc.x += term.x;
        acc.y += term.y;
        nPhase += k;
        if (nPhase >= nLen)
            nPhase -= nLen;
    }

    if (nTotal > 0)
        acc = ComplexMul(acc, RootOfUnity(blockIdx.x * k, nTotal));

    pOut[nBase + k] = acc;
}
