// Histogram equalisation of an 8-bit picture, four pixels a load.
typedef unsigned char u8;

extern "C" __global__ void grey_histogram(const u8 *pixels, unsigned *bins, int count)
{
	__shared__ unsigned local_bins[256];
	for (int b = threadIdx.x; b < 256; b += blockDim.x)
		local_bins[b] = 0;
	__syncthreads();

	const uchar4 *quads = (const uchar4 *)pixels;
	const int step = blockDim.x * gridDim.x;
	const int first = blockIdx.x * blockDim.x + threadIdx.x;
	for (int q = first; q < count / 4; q += step) {
		uchar4 p = quads[q];
		atomicAdd(&local_bins[p.x], 1u);
		atomicAdd(&local_bins[p.y], 1u);
		atomicAdd(&local_bins[p.z], 1u);
		atomicAdd(&local_bins[p.w], 1u);
	}
	if (first < count % 4)
		atomicAdd(&local_bins[pixels[count - 1 - first]], 1u);
	__syncthreads();

	for (int b = threadIdx.x; b < 256; b += blockDim.x)
		if (local_bins[b] > 0)
			atomicAdd(bins + b, local_bins[b]);
}

// One block of 256 threads: running counts, then the table of new levels.
extern "C" __global__ void level_table(const unsigned *bins, u8 *table, int count)
{
	__shared__ unsigned warp_sum[8];
	__shared__ unsigned darkest;
	const int t = threadIdx.x, lane = t & 31, warp = t >> 5;

	unsigned cdf = bins[t];
	for (int d = 1; d < 32; d *= 2) {
		unsigned below = __shfl_up_sync(0xffffffff, cdf, d);
		if (lane >= d)
			cdf += below;
	}
	if (lane == 31)
		warp_sum[warp] = cdf;
	__syncthreads();
	for (int w = 0; w < warp; ++w)
		cdf += warp_sum[w];

	if (bins[t] > 0 && cdf == bins[t])
		darkest = cdf;
	__syncthreads();

	unsigned range = count - darkest;
	unsigned level = cdf < darkest ? 0 : ((cdf - darkest) * 255u + range / 2) / range;
	table[t] = (u8)level;
}

extern "C" __global__ void apply_table(const u8 *pixels, const u8 *table, u8 *out, int count)
{
	__shared__ u8 lut[256];
	for (int b = threadIdx.x; b < 256; b += blockDim.x)
		lut[b] = table[b];
	__syncthreads();

	int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
	if (i + 3 < count) {
		uchar4 p = *(const uchar4 *)(pixels + i);
		*(uchar4 *)(out + i) = make_uchar4(lut[p.x], lut[p.y], lut[p.z], lut[p.w]);
	} else {
		for (; i < count; ++i)
			out[i] = lut[pixels[i]];
	}
}

// The same by one thread a pixel: how many pixels are darker or as dark.
extern "C" __global__ void equalise_plain(const u8 *pixels, u8 *out, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= count)
		return;
	int rank = 0, low = 255, lows = 0;
	for (int j = 0; j < count; ++j) {
		rank += pixels[j] <= pixels[i];
		if (pixels[j] < low)
			low = pixels[j], lows = 0;
		lows += pixels[j] == low;
	}
	out[i] = (u8)((510 * (rank - lows) + (count - lows)) / (2 * (count - lows)));
}
