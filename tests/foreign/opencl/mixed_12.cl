/* 12 = 3 * 4 points per work-group, Cooley-Tukey: columns of 3, twiddles, rows of 4 */
#define N1 3
#define N2 4
#define N  (N1*N2)

float2 cexp_(float phi) { return (float2)(native_cos(phi), native_sin(phi)); }
float2 mul(float2 u, float2 v) { return (float2)(u.x*v.x - u.y*v.y, u.x*v.y + u.y*v.x); }

__kernel void fft12(__global const float2 *x, __global float2 *X)
{
	__local float2 work[N1][N2];
	const int l = get_local_id(0);
	const int base = get_group_id(0) * N;

	if (l < N2) {
		const int n2 = l;
		float2 a = x[base + n2], b = x[base + n2 + N2], c = x[base + n2 + 2*N2];
		float2 t1 = b + c;
		float2 m1 = a - 0.5f * t1;
		float2 m2 = 0.86602540f * (b - c);
		float2 y0 = a + t1;
		float2 y1 = (float2)(m1.x + m2.y, m1.y - m2.x);
		float2 y2 = (float2)(m1.x - m2.y, m1.y + m2.x);
		const float step = -2 * M_PI_F / N;
		work[0][n2] = y0;
		work[1][n2] = mul(y1, cexp_(step * n2));
		work[2][n2] = mul(y2, cexp_(step * 2 * n2));
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (l < N1) {
		const int k1 = l;
		float2 a = work[k1][0], b = work[k1][1], c = work[k1][2], d = work[k1][3];
		float2 s0 = a + c, s1 = a - c, s2 = b + d, s3 = b - d;
		X[base + k1]          = s0 + s2;
		X[base + k1 + N1]     = (float2)(s1.x + s3.y, s1.y - s3.x);
		X[base + k1 + 2 * N1] = s0 - s2;
		X[base + k1 + 3 * N1] = (float2)(s1.x - s3.y, s1.y + s3.x);
	}
}
