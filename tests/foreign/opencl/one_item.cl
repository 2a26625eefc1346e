// Recursion unrolled into a stack of (offset, stride, size, state). One work item per signal.
#define LIMIT 64

struct frame {
    short from;   // first input element
    short step;   // distance of inputs
    short len;
    short to;     // where the result goes
    uchar seen;
};

__kernel void fft_stack(__global const float2 *sig, __global float2 *spec, const int n)
{
    struct frame st[8];
    float2 w[LIMIT];
    char top = 0;
    sig += n * get_global_id(0);

    st[0].from = 0; st[0].step = 1; st[0].len = (short)n; st[0].to = 0; st[0].seen = 0;
    while (top >= 0) {
        struct frame *f = &st[top];
        if (f->len == 1) {
            w[f->to] = sig[f->from];
            top--;
            continue;
        }
        const short half_len = f->len / 2;
        switch (f->seen++) {
        case 0:
            st[top + 1] = (struct frame){ f->from, 2 * f->step, half_len, f->to, 0 };
            top++;
            break;
        case 1:
            st[top + 1] = (struct frame){ f->from + f->step, 2 * f->step, half_len, f->to + half_len, 0 };
            top++;
            break;
        default:
            for (short k = 0; k < half_len; k++) {
                float c, s = sincos(-2.0f * M_PI_F * k / f->len, &c);
                float2 e = w[f->to + k], o = w[f->to + k + half_len];
                float2 t = (float2)(o.x * c - o.y * s, o.x * s + o.y * c);
                w[f->to + k] = e + t;
                w[f->to + k + half_len] = e - t;
            }
            top--;
        }
    }
    for (short k = 0; k < n; k++)
        spec[n * get_global_id(0) + k] = w[k];
}
