// Bailey's four steps: columns, twiddles, transpose, rows.   N = R*C, x[r*C+c]
#define R 8
#define C 16
#define N (R * C)

__device__ void dft_line(float2 *v, int len, int lane, float2 *scratch)
{
    // direct, a thread an output; lines are short
    float2 acc = make_float2(0.f, 0.f);
    for (int j = 0; j < len; ++j) {
        float s, c;
        sincospif(-2.f * ((j * lane) % len) / len, &s, &c);
        acc.x += v[j].x * c - v[j].y * s;
        acc.y += v[j].x * s + v[j].y * c;
    }
    scratch[lane] = acc;
}

extern "C" __global__ void columns(const float2 *x, float2 *y)
{
    __shared__ float2 col[R], res[R];
    int c = blockIdx.x, r = threadIdx.x;
    col[r] = x[r * C + c];
    __syncthreads();
    dft_line(col, R, r, res);
    __syncthreads();
    float s, k;
    sincospif(-2.f * (r * c) / N, &s, &k);
    float2 v = res[r];
    y[r * C + c] = make_float2(v.x * k - v.y * s, v.x * s + v.y * k);
}

extern "C" __global__ void rows_out(const float2 *y, float2 *z)
{
    __shared__ float2 row[C];
    __shared__ float2 res[C];
    int r = blockIdx.x, c = threadIdx.x;
    row[c] = y[r * C + c];
    __syncthreads();
    dft_line(row, C, c, res);
    __syncthreads();
    z[c * R + r] = res[c];
}
