// Stockham autosort, whole transform in one block. Ping-pong by swapping pointers.
template <int N>
__global__ void __launch_bounds__(N / 2) stockham(const float2 *in, float2 *out)
{
	__shared__ float2 ping[N];
	__shared__ float2 pong[N];

	const int t = threadIdx.x;
	in += blockIdx.x * N;
	out += blockIdx.x * N;

	ping[t] = in[t];
	ping[t + N / 2] = in[t + N / 2];
	__syncthreads();

	float2 *src = ping, *dst = pong;
	for (int ns = 1; ns < N; ns *= 2) {
		int k = t & (ns - 1);
		float2 a = src[t];
		float2 b = src[t + N / 2];
		float c, s;
		sincospif(-(float)k / ns, &s, &c);
		float2 wb = make_float2(c * b.x - s * b.y, c * b.y + s * b.x);
		int d = ((t - k) << 1) + k;
		dst[d] = make_float2(a.x + wb.x, a.y + wb.y);
		dst[d + ns] = make_float2(a.x - wb.x, a.y - wb.y);
		float2 *tmp = src;
		src = dst;
		dst = tmp;
		__syncthreads();
	}
	out[t] = src[t];
	out[t + N / 2] = src[t + N / 2];
}
