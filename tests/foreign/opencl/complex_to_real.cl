// c2r: real y[n] from X[0..h], n = 2h.  The hermitian half is never stored.
__kernel void forward_half(__global const float *x, __global float2 *X, const int n)
{
	const int k = get_global_id(0);
	if (k > n / 2) return;
	float2 acc = (float2)(0);
	for (int j = 0; j < n; ++j) {
		const float a = -2.0f * M_PI_F * ((j * k) % n) / n;
		acc = mad((float2)(x[j]), (float2)(cos(a), sin(a)), acc);
	}
	X[k] = acc;
}

__kernel void c2r(__global const float2 *X, __global float *y, const int n)
{
	const int j = get_global_id(0);
	float sum = X[0].x;
	sum += (j & 1) ? -X[n / 2].x : X[n / 2].x;
	for (int k = 1; k < n / 2; ++k) {
		const float a = 2.0f * M_PI_F * ((j * k) % n) / n;
		sum += 2.0f * (X[k].x * cos(a) - X[k].y * sin(a));
	}
	y[j] = sum / n;
}
