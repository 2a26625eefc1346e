// Rader: p = 7, generator 3.  One work-group of 6 does one transform.
#define P 7

__constant int pow3[6]  = {1, 3, 2, 6, 4, 5};       // 3^q mod 7
__constant int ipow3[6] = {1, 5, 4, 6, 2, 3};       // 3^-q mod 7

__kernel __attribute__((reqd_work_group_size(6, 1, 1)))
void rader(__global const float2 *x, __global float2 *y)
{
    __local float2 a[6], w[6];
    const int q = get_local_id(0);
    __global const float2 *xin = x + P * get_group_id(0);
    __global float2 *yout = y + P * get_group_id(0);

    a[q] = xin[pow3[q]];
    const float t = -2.f * M_PI_F / P * ipow3[q];
    w[q] = (float2)(cos(t), sin(t));
    barrier(CLK_LOCAL_MEM_FENCE);

    float2 conv = (float2)(0.f, 0.f);
    for (int j = 0; j < 6; ++j) {
        const float2 u = a[j], v = w[(q - j + 6) % 6];
        conv.x += u.x * v.x - u.y * v.y;
        conv.y += u.x * v.y + u.y * v.x;
    }
    yout[ipow3[q]] = xin[0] + conv;

    if (q == 0) {
        float2 sum = xin[0];
        for (int j = 0; j < 6; ++j) sum += a[j];
        yout[0] = sum;
    }
}
