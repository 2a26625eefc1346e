#define CM(a,c,s) (float2)((a).x*(c)-(a).y*(s), (a).x*(s)+(a).y*(c))
#define LEG(r)   float2 v##r = src[i + r*T]; { float c, s = sincos(ang*r, &c); v##r = CM(v##r, c, s); }

#define BODY2    dst[o] = v0 + v1; dst[o + L] = v0 - v1;
#define BODY4    float2 a = v0 + v2, b = v0 - v2, c = v1 + v3, d = v1 - v3; \
                 dst[o] = a + c;           dst[o + L]   = (float2)(b.x - d.y, b.y + d.x); \
                 dst[o + 2*L] = a - c;     dst[o + 3*L] = (float2)(b.x + d.y, b.y - d.x);

#define LEGS2    LEG(0) LEG(1)
#define LEGS4    LEGS2 LEG(2) LEG(3)

#define DEFINE_PASS(RADIX) \
__kernel void pass##RADIX(__global const float2 *src, __global float2 *dst, int L) \
{ \
    const int i = get_global_id(0), T = get_global_size(0); \
    const int k = i % L, o = (i - k) * RADIX + k; \
    const float ang = 2.0f * M_PI_F * k / (L * RADIX); \
    LEGS##RADIX \
    BODY##RADIX \
}

DEFINE_PASS(2)
DEFINE_PASS(4)
