/*
 * Constant geometry, every stage has the same wiring:
 *     read  i , i + n/2      write  2i , 2i + 1
 */
#define N2 get_local_size(0)

void stage_cg(local float2 *from, local float2 *to, int i, int s)
{
    int k = (i >> s) << s;                     /* twiddle exponent of n */
    float arg = -M_PI_F * k / (int)N2;
    float2 a = from[i], b = from[i + N2], d = a - b;
    float c = cos(arg), z = sin(arg);
    to[2*i]     = a + b;
    to[2*i + 1] = (float2)(d.x*c - d.y*z, d.x*z + d.y*c);
}

kernel void cgfft(global float2 *v, local float2 *p, int stages)
{
    int i = get_local_id(0), n = 2 * N2;
    local float2 *q = p + n;
    p[i] = v[i];
    p[i + N2] = v[i + N2];
    for (int s = 0; s < stages; s++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (s & 1) stage_cg(q, p, i, s);
        else       stage_cg(p, q, i, s);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);    /* v is read above and written below */
    if (stages & 1) p = q;
    for (int e = i; e < n; e += N2) {
        int r = 0;
        for (int b = 0; b < stages; b++) r = 2*r + ((e >> b) & 1);
        v[r] = p[e];
    }
}
