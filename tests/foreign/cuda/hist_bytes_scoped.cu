// Bytes, four a load, sub-histograms for each warp in shared memory with block-scoped atomics, system-scoped flush.
#define BINS 256
#define WARPS_PER_BLOCK 2

typedef unsigned char byte;

__global__ void histogram_bytes(const uchar4 *data4, unsigned int *total, unsigned int quads)
{
	__shared__ unsigned int sub[WARPS_PER_BLOCK][BINS];
	unsigned int *mine = sub[threadIdx.x / 32];

	for (unsigned int i = threadIdx.x; i < WARPS_PER_BLOCK * BINS; i += blockDim.x)
		(&sub[0][0])[i] = 0;
	__syncthreads();

	for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < quads; i += gridDim.x * blockDim.x) {
		const uchar4 q = data4[i];
		const byte *p = &q.x;
		for (int k = 0; k < 4; k++)
			atomicAdd_block(&mine[p[k]], 1u);
	}
	__syncthreads();

	for (unsigned int b = threadIdx.x; b < BINS; b += blockDim.x) {
		unsigned int sum = 0;
		for (int w = 0; w < WARPS_PER_BLOCK; w++)
			sum += sub[w][b];
		if (sum)
			atomicAdd_system(&total[b], sum);
	}
}
