// Self-sorting FFT for 3 * 2^m points. One pass per launch, the buffers take turns.
typedef struct { float re, im; } cplx;

cplx mk(float re, float im) { cplx c; c.re = re; c.im = im; return c; }
cplx add(cplx a, cplx b) { return mk(a.re + b.re, a.im + b.im); }
cplx sub(cplx a, cplx b) { return mk(a.re - b.re, a.im - b.im); }
cplx mul(cplx a, cplx b) { return mk(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re); }
cplx unit(float turns) { return mk(cospi(2.0f * turns), -sinpi(2.0f * turns)); }

kernel void radix_two(global const cplx *src, global cplx *dst, const uint n, const uint ns)
{
	const uint t = get_global_id(0);
	const uint half_n = n >> 1;
	const uint k = t % ns;
	const uint to = (t - k) * 2 + k;

	cplx u = src[t];
	cplx v = mul(src[t + half_n], unit((float)k / (float)(2 * ns)));

	dst[to] = add(u, v);
	dst[to + ns] = sub(u, v);
}

kernel void radix_three(global const cplx *src, global cplx *dst, const uint n, const uint ns)
{
	const uint t = get_global_id(0);
	const uint third = n / 3;
	const uint k = t % ns;
	const uint to = (t - k) * 3 + k;
	const float step = (float)k / (float)(3 * ns);

	cplx a = src[t];
	cplx b = mul(src[t + third], unit(step));
	cplx c = mul(src[t + 2 * third], unit(2.0f * step));

	const float S = 0.8660254037844386f;     // sin 60
	cplx sum = add(b, c), dif = sub(b, c);
	cplx mid = mk(a.re - 0.5f * sum.re, a.im - 0.5f * sum.im);

	dst[to] = add(a, sum);
	dst[to + ns] = mk(mid.re + S * dif.im, mid.im - S * dif.re);
	dst[to + 2 * ns] = mk(mid.re - S * dif.im, mid.im + S * dif.re);
}
