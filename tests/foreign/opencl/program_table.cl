__constant float2 TW[8] = {
    (float2)( 1.00000000f,  0.00000000f), (float2)( 0.92387953f, -0.38268343f),
    (float2)( 0.70710678f, -0.70710678f), (float2)( 0.38268343f, -0.92387953f),
    (float2)( 0.00000000f, -1.00000000f), (float2)(-0.38268343f, -0.92387953f),
    (float2)(-0.70710678f, -0.70710678f), (float2)(-0.92387953f, -0.38268343f) };
__constant uchar REV[16] = { 0,8,4,12, 2,10,6,14, 1,9,5,13, 3,11,7,15 };

__kernel void fft16_local(__global float2 *x)
{
    __local float2 s[16];
    uchar t = (uchar)get_local_id(0);          // 0..7
    s[REV[t]]     = x[t];
    s[REV[t + 8]] = x[t + 8];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uchar sh = 0; sh < 4; ++sh) {
        uchar m = 1 << sh;
        uchar lo = ((t >> sh) << (sh + 1)) | (t & (m - 1));
        uchar e = (t & (m - 1)) << (3 - sh);
        float2 a = s[lo], b = s[lo + m], w = TW[e];
        b = (float2)(fma(b.x, w.x, -b.y * w.y), fma(b.x, w.y, b.y * w.x));
        s[lo] = a + b;
        s[lo + m] = a - b;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    x[t] = s[t];
    x[t + 8] = s[t + 8];
}
