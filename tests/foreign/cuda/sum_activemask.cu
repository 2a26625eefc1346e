// Warp sums with whatever lanes are there: the tail of the array leaves before the shuffles.
#define LANE (threadIdx.x & 31)

__device__ __forceinline__ int warp_sum(int v)
{
	const unsigned m = __activemask();
	for (int d = 16; d; d >>= 1) {
		int other = __shfl_down_sync(m, v, d);
		if (LANE + d < __popc(m)) v += other;
	}
	return v;
}

extern "C" __global__ void fill(int *x, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) x[i] = i * 7919 % 23 - 9;
}

extern "C" __global__ void sums(const int *__restrict__ x, int *part, int *negative, int n)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	const int s = warp_sum(x[i]);
	if (LANE == 0) part[i >> 5] = s;

	// one atomic for all lanes of a warp that meet a negative number
	if (x[i] < 0) {
		unsigned m = __activemask();
		if (LANE == __ffs(m) - 1) atomicAdd(negative, __popc(m));
	}
}

extern "C" __global__ void total(const int *part, const int *negative, int *out, int parts)
{
	int s = 0;
	for (int k = 0; k < parts; k++) s += part[k];
	out[0] = s;
	out[1] = *negative;
}

extern "C" __global__ void check(const int *x, int *ref, int n)
{
	int s = 0, c = 0;
	for (int k = 0; k < n; k++) { s += x[k]; c += x[k] < 0; }
	ref[0] = s;
	ref[1] = c;
}
