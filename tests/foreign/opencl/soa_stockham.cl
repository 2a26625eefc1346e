// Stockham autosort, radix 2, split format. One pass: (ar, ai) -> (br, bi).
#define TWO_PI 6.28318530717958647692f

__kernel void pass2(__global const float* restrict ar, __global const float* restrict ai,
                    __global float* restrict br, __global float* restrict bi,
                    const uint half_n, const uint s)
{
	const uint gid = get_global_id(0);
	const uint q = gid % s;          // which of the s interleaved transforms
	const uint p = gid / s;
	const float ang = -TWO_PI * (float)(p * s) / (float)(2u * half_n);
	const float c = cos(ang), d = sin(ang);

	const float xr = ar[gid],          xi = ai[gid];
	const float yr = ar[gid + half_n], yi = ai[gid + half_n];
	const float dr = xr - yr, di = xi - yi;

	const uint to = q + 2u * p * s;
	br[to]     = xr + yr;
	bi[to]     = xi + yi;
	br[to + s] = dr * c - di * d;
	bi[to + s] = dr * d + di * c;
}
