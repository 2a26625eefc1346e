// Reversible 5/3 wavelet of JPEG 2000 (lifting, integers), Mallat layout.
// One block per line; the same kernel does rows (step 1) and columns (step = pitch).

#define LINE_MAX 64

__device__ __forceinline__ int mirror(int k, int last)
{
	return k < 0 ? -k : k > last ? 2 * last - k : k;
}

__global__ void dwt53_line(int *img, int len, int step, int next_line)
{
	__shared__ int even[LINE_MAX / 2];
	__shared__ int odd[LINE_MAX / 2];

	int *line = img + blockIdx.x * next_line;
	const int half = len >> 1;
	const int k = threadIdx.x;

	even[k] = line[(2 * k) * step];
	odd[k]  = line[(2 * k + 1) * step];
	__syncthreads();

	// predict
	const int right = even[k + 1 < half ? k + 1 : half - 1];
	odd[k] -= (even[k] + right) >> 1;
	__syncthreads();

	// update
	const int left = odd[k > 0 ? k - 1 : 0];
	even[k] += (left + odd[k] + 2) >> 2;

	line[k * step] = even[k];
	line[(half + k) * step] = odd[k];
}

// Reference: whole transform, one thread, straight from the formulas with mirrored indices.
__device__ int high(const int *x, int last, int i)
{
	i = mirror(i, last);
	const int sum = x[mirror(i - 1, last)] + x[mirror(i + 1, last)];
	return x[i] - (int)floorf(sum / 2.0f);
}

__device__ int low(const int *x, int last, int i)
{
	return x[i] + (int)floorf((high(x, last, i - 1) + high(x, last, i + 1) + 2) / 4.0f);
}

__global__ void dwt53_reference(const int *in, int *out, int w, int h, int levels)
{
	int x[LINE_MAX];
	for (int i = 0; i < w * h; i++) out[i] = in[i];
	for (int cw = w, ch = h; levels-- > 0; cw /= 2, ch /= 2) {
		for (int r = 0; r < ch; r++) {
			for (int c = 0; c < cw; c++) x[c] = out[r * w + c];
			for (int c = 0; c < cw; c++)
				out[r * w + c / 2 + (c % 2) * (cw / 2)] = c % 2 ? high(x, cw - 1, c) : low(x, cw - 1, c);
		}
		for (int c = 0; c < cw; c++) {
			for (int r = 0; r < ch; r++) x[r] = out[r * w + c];
			for (int r = 0; r < ch; r++)
				out[(r / 2 + (r % 2) * (ch / 2)) * w + c] = r % 2 ? high(x, ch - 1, r) : low(x, ch - 1, r);
		}
	}
}
