// Pointers to rows of known length; four columns at a time as float4.
#define ROWS 16
#define COLS 24

typedef float Matrix[ROWS][COLS];
typedef float MatrixT[COLS][ROWS];

extern "C" __global__ void transpose4(const Matrix *in, MatrixT *out)
{
    const int r = threadIdx.y + blockIdx.y * blockDim.y;
    const int q = threadIdx.x + blockIdx.x * blockDim.x;     // a group of four columns
    const float4 v = *reinterpret_cast<const float4 *>(&(*in)[r][4 * q]);
    float (*o)[ROWS] = *out + 4 * q;
    o[0][r] = v.x;
    o[1][r] = v.y;
    o[2][r] = v.z;
    o[3][r] = v.w;
}
