/* persistent blocks: a ticket a tile from one atomic, told to the block through shared memory; blocks of any number */
#define TILE 16
struct __align__(8) Job { unsigned tile; bool last; };

__device__ __noinline__ bool next_job(unsigned *tickets, unsigned tiles, Job *mine)
{
	__syncthreads();                      /* all have read the last one */
	if (threadIdx.x == 0) {
		unsigned t = atomicInc(tickets, 0xffffffffu);
		mine->tile = t;
		mine->last = t >= tiles;
	}
	__syncthreads();
	return !mine->last;
}

extern "C" __global__ void squares_reversed(const float *in, float *out, unsigned *tickets, unsigned n)
{
	__shared__ Job job;
	__shared__ float tile[TILE];
	const unsigned tiles = (n + TILE - 1) / TILE;
	while (next_job(tickets, tiles, &job)) {
		const unsigned at = job.tile * TILE + threadIdx.x;
		tile[TILE - 1 - threadIdx.x] = at < n ? in[at] * in[at] : 0.f;
		__syncthreads();
		const unsigned to = tiles * TILE - (job.tile + 1) * TILE + threadIdx.x;
		out[to] = tile[threadIdx.x];
	}
}

extern "C" __global__ void squares_plain(const float *in, float *out, unsigned n, unsigned all)
{
	for (unsigned i = threadIdx.x; i < all; i += blockDim.x) {
		const unsigned from = all - 1 - i;
		out[i] = from < n ? in[from] * in[from] : 0.f;
	}
}
