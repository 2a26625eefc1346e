// Median of five neighbours, the edges repeated: the window is sorted in registers by insertion.
enum { HALF = 2, WIDTH = 2 * HALF + 1 };

__global__ void median5(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    float w[WIDTH], pivot;
    int used = 0;
    for (int d = -HALF; d <= HALF; ++d) {
        int at = i + d;
        at = at < 0 ? 0 : at >= n ? n - 1 : at;
        pivot = in[at];
        int j = used++;
        for (; j > 0 && w[j - 1] > pivot; --j)
            w[j] = w[j - 1];
        w[j] = pivot;
    }
    out[i] = w[HALF];
}
