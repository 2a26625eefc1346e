// Box filter through an integral image (summed-area table).
// rows scanned, transposed, scanned again => SAT, stored transposed: sat[x * height + y].

enum { LANES = 8, TILE = 8 };

// 8 lanes walk along a row in steps of 8 and carry the sum of what is behind them.
template <class T>
__global__ void scan_rows(const T *in, unsigned *out, int width, int height)
{
    const int lane = threadIdx.x & (LANES - 1);
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / LANES;
    const bool inside = row < height;

    unsigned carry = 0;
    for (int x0 = 0; x0 < width; x0 += LANES) {
        const int x = x0 + lane;
        unsigned v = inside && x < width ? in[row * width + x] : 0;
        for (int d = 1; d < LANES; d <<= 1) {
            const unsigned up = __shfl_up_sync(0xffffffff, v, d, LANES);
            if (lane >= d) v += up;
        }
        v += carry;
        if (inside && x < width) out[row * width + x] = v;
        carry = __shfl_sync(0xffffffff, v, LANES - 1, LANES);
    }
}

__global__ void flip_axes(const unsigned *in, unsigned *out, int width, int height)
{
    __shared__ unsigned tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    if (x < width && y < height)
        tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    if (x < height && y < width)
        out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}

// sum over columns 0..x and rows 0..y
__device__ unsigned corner(const unsigned *sat, int x, int y, int height)
{
    return x < 0 || y < 0 ? 0 : sat[x * height + y];
}

__global__ void box_mean(const unsigned *sat, unsigned char *out, int width, int height, int radius)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;

    const int left = max(x - radius, 0), right = min(x + radius, width - 1);
    const int top = max(y - radius, 0), bottom = min(y + radius, height - 1);
    const unsigned sum = corner(sat, right, bottom, height) - corner(sat, left - 1, bottom, height)
                       - corner(sat, right, top - 1, height) + corner(sat, left - 1, top - 1, height);
    const unsigned area = (right - left + 1) * (bottom - top + 1);
    out[y * width + x] = (sum + area / 2) / area;
}

// every pixel of every window
__global__ void box_mean_direct(const unsigned char *in, unsigned char *out, int width, int height, int radius)
{
    const int me = blockIdx.x * blockDim.x + threadIdx.x;
    if (me >= width * height) return;
    float sum = 0, n = 0;
    for (int dy = -radius; dy <= radius; dy++)
        for (int dx = -radius; dx <= radius; dx++) {
            const int xx = me % width + dx, yy = me / width + dy;
            if (xx < 0 || yy < 0 || xx >= width || yy >= height) continue;
            sum += in[yy * width + xx];
            n += 1;
        }
    out[me] = (unsigned char)floorf((2 * sum + n) / (2 * n) + 1e-4f);
}
