/*
 * Forward DCT of 8x8 blocks as in JPEG: level shift, rows, columns, division by the luminance table.
 * Constants are cos(k pi / 16) / 2.
 */
#define C1 0.490392640f
#define C2 0.461939766f
#define C3 0.415734806f
#define C4 0.353553391f
#define C5 0.277785117f
#define C6 0.191341716f
#define C7 0.097545161f

__constant uchar quant[64] = {
    16, 11, 10, 16, 24, 40, 51, 61,
    12, 12, 14, 19, 26, 58, 60, 55,
    14, 13, 16, 24, 40, 57, 69, 56,
    14, 17, 22, 29, 51, 87, 80, 62,
    18, 22, 37, 56, 68, 109, 103, 77,
    24, 35, 55, 64, 81, 104, 113, 92,
    49, 64, 78, 87, 103, 121, 120, 101,
    72, 92, 95, 98, 112, 100, 103, 99
};

static void dct8(__local float *v, const int step)
{
    const float s0 = v[0] + v[7 * step],        d0 = v[0] - v[7 * step];
    const float s1 = v[step] + v[6 * step],     d1 = v[step] - v[6 * step];
    const float s2 = v[2 * step] + v[5 * step], d2 = v[2 * step] - v[5 * step];
    const float s3 = v[3 * step] + v[4 * step], d3 = v[3 * step] - v[4 * step];

    const float e0 = s0 + s3, e1 = s1 + s2;
    const float f0 = s0 - s3, f1 = s1 - s2;

    v[0]        = C4 * (e0 + e1);
    v[4 * step] = C4 * (e0 - e1);
    v[2 * step] = C2 * f0 + C6 * f1;
    v[6 * step] = C6 * f0 - C2 * f1;

    v[step]     = C1 * d0 + C3 * d1 + C5 * d2 + C7 * d3;
    v[3 * step] = C3 * d0 - C7 * d1 - C1 * d2 - C5 * d3;
    v[5 * step] = C5 * d0 - C1 * d1 + C7 * d2 + C3 * d3;
    v[7 * step] = C7 * d0 - C5 * d1 + C3 * d2 - C1 * d3;
}

__kernel void fdct_blocks(__global const uchar *image, __global float *coef, const int pitch)
{
    __local float tile[8][9];
    const int u = get_local_id(0);
    const int corner = get_group_id(1) * 8 * pitch + get_group_id(0) * 8;

    for (int r = 0; r < 8; r++)
        tile[r][u] = image[corner + r * pitch + u] - 128.0f;
    barrier(CLK_LOCAL_MEM_FENCE);

    dct8(&tile[u][0], 1);
    barrier(CLK_LOCAL_MEM_FENCE);

    dct8(&tile[0][u], 9);
    for (int r = 0; r < 8; r++)
        coef[corner + r * pitch + u] = tile[r][u] / quant[r * 8 + u];
}

/* by the definition, a coefficient per work-item */
__kernel void fdct_slow(__global const uchar *image, __global float *coef, const int pitch)
{
    const int X = get_global_id(0), Y = get_global_id(1);
    const int u = X & 7, v = Y & 7;
    float sum = 0.0f;
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++)
            sum += (image[(Y - v + y) * pitch + X - u + x] - 128.0f)
                 * cospi((2 * x + 1) * u / 16.0f) * cospi((2 * y + 1) * v / 16.0f);
    if (u == 0) sum *= M_SQRT1_2_F;
    if (v == 0) sum *= M_SQRT1_2_F;
    coef[Y * pitch + X] = 0.25f * sum / quant[v * 8 + u];
}
