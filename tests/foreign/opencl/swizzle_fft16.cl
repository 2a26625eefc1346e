// Sixteen points an item as two float16s, 4 x 4, with swizzles (.even .odd .lo .hi) for the transpose. No loops at all.
typedef float16 f16;

#define ROT(re, im, c, s, lane) { const float t_ = re.lane; re.lane = t_ * (c) - im.lane * (s); im.lane = t_ * (s) + im.lane * (c); }

static inline void quad(float4 *a, float4 *b, float4 *c, float4 *d,   // real parts
                        float4 *p, float4 *q, float4 *r, float4 *s)   // imaginary parts
{
    const float4 ac = *a + *c, pr = *p + *r, a_c = *a - *c, p_r = *p - *r;
    const float4 bd = *b + *d, qs = *q + *s, b_d = *b - *d, q_s = *q - *s;
    *a = ac + bd;   *p = pr + qs;
    *c = ac - bd;   *r = pr - qs;
    *b = a_c + q_s; *q = p_r - b_d;
    *d = a_c - q_s; *s = p_r + b_d;
}

static f16 flipped(f16 v)   // a 4 x 4 matrix by rows becomes one by columns
{
    const float8 e = v.even, o = v.odd;                  // columns 0,2 and 1,3
    return (f16)(e.even, o.even, e.odd, o.odd);
}

kernel void fft16(global const float *restrict in, global float *restrict out)
{
    const size_t first = get_global_id(0) * 32;
    const f16 lo = vload16(0, in + first), hi = vload16(1, in + first);
    f16 re = (f16)(lo.even, hi.even), im = (f16)(lo.odd, hi.odd);

    float4 a = re.lo.lo, b = re.lo.hi, c = re.hi.lo, d = re.hi.hi;
    float4 p = im.lo.lo, q = im.lo.hi, r = im.hi.lo, s = im.hi.hi;
    quad(&a, &b, &c, &d, &p, &q, &r, &s);
    const float w = -2 * M_PI_F / 16;
    const float4 k = (float4)(0, 1, 2, 3);
    float4 co, si;
#define TURN(x, y, m) si = sincos(k * (w * m), &co); { const float4 t = x; x = t * co - y * si; y = t * si + y * co; }
    TURN(b, q, 1) TURN(c, r, 2) TURN(d, s, 3)
    re = flipped((f16)(a, b, c, d));
    im = flipped((f16)(p, q, r, s));
    a = re.s0123; b = re.s4567; c = re.s89ab; d = re.scdef;
    p = im.s0123; q = im.s4567; r = im.s89AB; s = im.sCDEF;
    quad(&a, &b, &c, &d, &p, &q, &r, &s);
    re = (f16)(a, b, c, d);
    im = (f16)(p, q, r, s);
    f16 both;
    both.even = re.lo; both.odd = im.lo;
    vstore16(both, 0, out + first);
    both.even = re.hi; both.odd = im.hi;
    vstore16(both, 1, out + first);
}
