// Maximum of floats: shared tree, then compare-and-swap on the float's bits.
#define NEG_INF __int_as_float(0xff800000)

static __device__ float atomicMaxFloat(float *addr, float value)
{
	int *ia = (int *)addr;
	int old = *ia;
	while (__int_as_float(old) < value) {
		int seen = atomicCAS(ia, old, __float_as_int(value));
		if (seen == old)
			break;
		old = seen;
	}
	return __int_as_float(old);
}

__global__ void init_max(float *m) { *m = NEG_INF; }

__global__ void find_max(const float *x, float *m, unsigned n)
{
	__shared__ float best[64];
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	best[threadIdx.x] = i < n ? x[i] : NEG_INF;
	__syncthreads();
	for (unsigned h = blockDim.x >> 1; h; h >>= 1) {
		if (threadIdx.x < h)
			best[threadIdx.x] = fmaxf(best[threadIdx.x], best[threadIdx.x + h]);
		__syncthreads();
	}
	if (threadIdx.x == 0)
		atomicMaxFloat(m, best[0]);
}
