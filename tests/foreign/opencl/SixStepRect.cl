///////////////////////////////////////////////////////////////////////////////
// Six-step FFT of N = ROWS x COLS points
//   transpose, row FFTs (ROWS points) + twiddle, transpose, row FFTs (COLS points), transpose
///////////////////////////////////////////////////////////////////////////////
#define TILE_DIM 4

float2 ComplexMul(float2 A, float2 B)
{
    float2 R;
    R.x = A.x * B.x - A.y * B.y;
    R.y = A.x * B.y + A.y * B.x;
    return R;
}

///////////////////////////////////////////////////////////////////////////////
// d_Dst[x][y] = d_Src[y][x], uiWidth x uiHeight is the size of the source
///////////////////////////////////////////////////////////////////////////////
__kernel void Transpose(
    __global float2 *d_Dst,
    __global const float2 *d_Src,
    uint uiWidth,
    uint uiHeight
){
    __local float2 l_Tile[TILE_DIM * (TILE_DIM + 1)];

    uint uiX = get_group_id(0) * TILE_DIM + get_local_id(0);
    uint uiY = get_group_id(1) * TILE_DIM + get_local_id(1);

    if(uiX < uiWidth && uiY < uiHeight)
        l_Tile[get_local_id(1) * (TILE_DIM + 1) + get_local_id(0)] = d_Src[uiY * uiWidth + uiX];

    barrier(CLK_LOCAL_MEM_FENCE);

    uiX = get_group_id(1) * TILE_DIM + get_local_id(0);
    uiY = get_group_id(0) * TILE_DIM + get_local_id(1);

    if(uiX < uiHeight && uiY < uiWidth)
        d_Dst[uiY * uiHeight + uiX] = l_Tile[get_local_id(0) * (TILE_DIM + 1) + get_local_id(1)];
}

///////////////////////////////////////////////////////////////////////////////
// In-place FFT of one row per work-group, decimation in time.
// uiN > 0: multiply element k of row r by exp(-2*pi*i*r*k / uiN) afterwards
///////////////////////////////////////////////////////////////////////////////
__kernel void RowFFT(
    __global float2 *d_Data,
    __local float2 *l_Data,
    uint uiLength,
    uint uiN
){
    const uint uiLid = get_local_id(0);
    const uint uiRow = get_group_id(0);
    __global float2 *d_Row = d_Data + uiRow * uiLength;

    for(uint uiPos = uiLid; uiPos < uiLength; uiPos += get_local_size(0)){
        uint uiRev = 0, uiBits = uiPos;
        for(uint ui = 1; ui < uiLength; ui <<= 1){
            uiRev = (uiRev << 1) | (uiBits & 1);
            uiBits >>= 1;
        }
        l_Data[uiRev] = d_Row[uiPos];
    }

    for(uint uiStride = 1; uiStride < uiLength; uiStride <<= 1){
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint uiK = uiLid & (uiStride - 1);
        const uint uiPos = 2 * uiLid - uiK;
        const float fAngle = -M_PI_F * (float)uiK / (float)uiStride;
        const float2 A = l_Data[uiPos];
        const float2 B = ComplexMul(l_Data[uiPos + uiStride], (float2)(cos(fAngle), sin(fAngle)));
        l_Data[uiPos] = A + B;
        l_Data[uiPos + uiStride] = A - B;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for(uint uiPos = uiLid; uiPos < uiLength; uiPos += get_local_size(0)){
        float2 Val = l_Data[uiPos];
        if(uiN > 0){
            const float fAngle = -2.0f * M_PI_F * (float)(uiRow * uiPos) / (float)uiN;
            Val = ComplexMul(Val, (float2)(cos(fAngle), sin(fAngle)));
        }
        d_Row[uiPos] = Val;
    }
}
