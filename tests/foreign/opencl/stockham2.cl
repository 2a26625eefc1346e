// Stockham autosort FFT - no bit reversal needed
// one launch per pass, host swaps src/dst

__kernel void pass(__global const float2 *src, __global float2 *dst, int p)
{
	int t = get_global_size(0);	/* N/2 */
	int i = get_global_id(0);
	int k = i & (p-1);
	int j = ((i-k)<<1) + k;
	float alpha = -M_PI_F*(float)k/(float)p;

	float2 u0 = src[i];
	float2 u1 = src[i+t];
	float2 tw = (float2)(cos(alpha), sin(alpha));
	u1 = (float2)(u1.x*tw.x-u1.y*tw.y, u1.x*tw.y+u1.y*tw.x);

	dst[j]   = u0 + u1;
	dst[j+p] = u0 - u1;
}
