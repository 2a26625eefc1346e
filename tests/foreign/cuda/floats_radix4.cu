/* The complex array comes in as float*; index arithmetic by hand. */
#define RE(a, i) (a)[2 * (i)]
#define IM(a, i) (a)[2 * (i) + 1]

extern "C" __global__ void r4_pass(const float *in, float *out, int quarter, int ns)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= quarter) return;
    int k = j % ns;
    float vr[4], vi[4];
    for (int q = 0; q < 4; ++q)
    {
        float s, c;
        sincosf(-6.283185307179586f * q * k / (4 * ns), &s, &c);
        float x = RE(in, j + q * quarter), y = IM(in, j + q * quarter);
        vr[q] = x * c - y * s;
        vi[q] = x * s + y * c;
    }
    float t0r = vr[0] + vr[2], t0i = vi[0] + vi[2], t1r = vr[0] - vr[2], t1i = vi[0] - vi[2];
    float t2r = vr[1] + vr[3], t2i = vi[1] + vi[3], t3r = vr[1] - vr[3], t3i = vi[1] - vi[3];
    int d = (j / ns) * ns * 4 + k;
    RE(out, d) = t0r + t2r;          IM(out, d) = t0i + t2i;
    RE(out, d + ns) = t1r + t3i;     IM(out, d + ns) = t1i - t3r;
    RE(out, d + 2 * ns) = t0r - t2r; IM(out, d + 2 * ns) = t0i - t2i;
    RE(out, d + 3 * ns) = t1r - t3i; IM(out, d + 3 * ns) = t1i + t3r;
}
