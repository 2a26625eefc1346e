constant float K1 = -1.25f, K2 = 0.559016994f, K3 = 1.538841769f, K4 = 0.951056516f, K5 = 0.363271264f;

void w5(float *re, float *im, int pitch)
{
#define R(k) re[(k) * pitch]
#define I(k) im[(k) * pitch]
    float t1r = R(1) + R(4), t2r = R(2) + R(3), t3r = R(1) - R(4), t4r = R(3) - R(2);
    float t1i = I(1) + I(4), t2i = I(2) + I(3), t3i = I(1) - I(4), t4i = I(3) - I(2);
    float t5r = t1r + t2r, t5i = t1i + t2i;
    float m0r = R(0) + t5r, m0i = I(0) + t5i;
    float m1r = K1 * t5r, m1i = K1 * t5i;
    float m2r = K2 * (t1r - t2r), m2i = K2 * (t1i - t2i);
    /* multiplied by -i: (x, y) -> (y, -x) */
    float m3r = K4 * (t3i + t4i), m3i = -K4 * (t3r + t4r);
    float m4r = K3 * t4i, m4i = -K3 * t4r;
    float m5r = K5 * t3i, m5i = -K5 * t3r;
    float s3r = m3r - m4r, s3i = m3i - m4i;
    float s5r = m3r - m5r, s5i = m3i - m5i;
    float s1r = m0r + m1r, s1i = m0i + m1i;
    float s2r = s1r + m2r, s2i = s1i + m2i;
    float s4r = s1r - m2r, s4i = s1i - m2i;
    R(0) = m0r;       I(0) = m0i;
    R(1) = s2r + s3r; I(1) = s2i + s3i;
    R(2) = s4r + s5r; I(2) = s4i + s5i;
    R(3) = s4r - s5r; I(3) = s4i - s5i;
    R(4) = s2r - s3r; I(4) = s2i - s3i;
#undef R
#undef I
}

__kernel void dft5(__global const float *in, __global float *out)
{
    float work[10];
    __global const float *p = in + 10 * get_global_id(0);
    float8 head = vload8(0, p);
    float2 tail = vload2(4, p);
    vstore8(head, 0, work);
    vstore2(tail, 4, work);
    w5(work, work + 1, 2);
    for (int e = 0; e < 10; e++)
        out[10 * get_global_id(0) + e] = work[e];
}
