typedef struct { global float *re; global float *im; } planes;

void bf4(planes z, int i0, int step, float ang)
{
    int i1 = i0 + step, i2 = i1 + step, i3 = i2 + step;
    float ar = z.re[i0] + z.re[i2], ai = z.im[i0] + z.im[i2];
    float br = z.re[i0] - z.re[i2], bi = z.im[i0] - z.im[i2];
    float cr = z.re[i1] + z.re[i3], ci = z.im[i1] + z.im[i3];
    float dr = z.re[i1] - z.re[i3], di = z.im[i1] - z.im[i3];
    /* -i * d = (di, -dr) */
    float er = br + di, ei = bi - dr;
    float fr = br - di, fi = bi + dr;
    float gr = ar - cr, gi = ai - ci;
    float c1 = cos(ang), s1 = sin(ang), c2 = cos(2 * ang), s2 = sin(2 * ang), c3 = cos(3 * ang), s3 = sin(3 * ang);
    z.re[i0] = ar + cr;           z.im[i0] = ai + ci;
    z.re[i1] = er * c1 - ei * s1; z.im[i1] = er * s1 + ei * c1;
    z.re[i2] = gr * c2 - gi * s2; z.im[i2] = gr * s2 + gi * c2;
    z.re[i3] = fr * c3 - fi * s3; z.im[i3] = fr * s3 + fi * c3;
}

kernel void dif4(global float *a, global float *b, int step)
{
    planes z;
    z.re = a;
    z.im = b;
    int g = get_global_id(0), k = g % step;
    bf4(z, (g - k) * 4 + k, step, -M_PI_F * k / (2 * step));
}

kernel void digit_reverse(global const float *a, global const float *b, global float *oa, global float *ob, int pairs)
{
    int g = get_global_id(0), r = 0;
    for (int p = 0, x = g; p < pairs; ++p, x >>= 2) r = 4 * r + (x & 3);
    oa[r] = a[g];
    ob[r] = b[g];
}
