// digit-reversed input, natural output
__kernel void digitrev4(__global float2 *a, int digits)
{
	unsigned int i = get_global_id(0), j = 0, d;
	for (d = 0; d < digits; ++d)
		j |= ((i >> 2*d) & 3) << 2*(digits-1-d);
	if (i < j)
	{
		float2 h = a[i];
		a[i] = a[j];
		a[j] = h;
	}
}

#define MUL(dst, z, w) dst = (float2)(z.x*w.x - z.y*w.y, z.x*w.y + z.y*w.x)

__kernel void bf4(__global float2 *a, __constant float2 *w, int q, int tstep)
{
	unsigned int id = get_global_id(0);
	unsigned int j = id % q, base = 4*q*(id/q) + j;
	float2 x0 = a[base], x1, x2, x3;
	MUL(x1, a[base+q],   w[j*tstep]);
	MUL(x2, a[base+2*q], w[2*j*tstep]);
	MUL(x3, a[base+3*q], w[3*j*tstep]);
	float2 s02 = x0+x2, d02 = x0-x2, s13 = x1+x3, d13 = x1-x3;
	a[base]     = s02+s13;
	a[base+q]   = (float2)(d02.x+d13.y, d02.y-d13.x);
	a[base+2*q] = s02-s13;
	a[base+3*q] = (float2)(d02.x-d13.y, d02.y+d13.x);
}
