// n-point FFT of n/2 real samples and as many zeros: the first layer has nothing to add.
kernel void fft_zero_tail(const global float *x, global float2 *y, local float *re, local float *im, const int lg)
{
	const int n = 1 << lg, h = n >> 1;
	const int l = get_local_id(0);
	float s, c;

	s = sincos(M_PI_F * l / h, &c);
	re[l] = x[l];
	im[l] = 0.0f;
	re[l + h] = x[l] * c;
	im[l + h] = -x[l] * s;
	barrier(CLK_LOCAL_MEM_FENCE);

	int gap = h >> 1;
	while (gap) {
		const int j = l & (gap - 1);
		const int a = ((l & -gap) << 1) | j;
		const int b = a | gap;

		const float dr = re[a] - re[b];
		const float di = im[a] - im[b];
		re[a] += re[b];
		im[a] += im[b];
		s = sincos(M_PI_F * j / gap, &c);
		re[b] = dr * c + di * s;
		im[b] = di * c - dr * s;
		barrier(CLK_LOCAL_MEM_FENCE);
		gap >>= 1;
	}

	for (int e = l; e < n; e += h) {
		uint r = e;
		r = (r >> 16) | (r << 16);
		r = ((r >> 8) & 0x00ff00ffu) | ((r & 0x00ff00ffu) << 8);
		r = ((r >> 4) & 0x0f0f0f0fu) | ((r & 0x0f0f0f0fu) << 4);
		r = ((r >> 2) & 0x33333333u) | ((r & 0x33333333u) << 2);
		r = ((r >> 1) & 0x55555555u) | ((r & 0x55555555u) << 1);
		r >>= 32 - lg;
		y[e] = (float2)(re[r], im[r]);
	}
}
