// Fast Walsh-Hadamard transform, a warp for each vector of 64: two values a lane.
__global__ void fwht(float *v)
{
	const int lane = threadIdx.x % warpSize;
	float *p = v + (blockIdx.x * (blockDim.x / warpSize) + threadIdx.x / warpSize) * 64;
	float a = p[lane], b = p[lane + 32];
	float s = a + b;
	b = a - b;
	a = s;
	for (int m = 16; m; m >>= 1) {
		float oa = __shfl_xor_sync(~0u, a, m);
		float ob = __shfl_xor_sync(~0u, b, m);
		a = lane & m ? oa - a : oa + a;
		b = lane & m ? ob - b : ob + b;
	}
	p[lane] = a;
	p[lane + 32] = b;
}
