/*
 * Bilateral filter, pitched grey image, mirrored borders (reflect-101: c b | a b c | b a).
 * Spatial weights come from a table in constant memory, distances squared 0..8 for R = 2.
 */
#define R      2
#define BX     8
#define BY     8
#define TILE_W (BX + 2 * R)
#define TILE_H (BY + 2 * R)

typedef struct { int w, h, pitch; } image_t;

__constant__ float spatial[9] = {       /* exp(-d2 / 4.5) */
    1.0f, 0.80073740f, 0.64118039f, 0.0f, 0.41111229f, 0.32919299f, 0.0f, 0.0f, 0.16901332f
};

__device__ static int reflect(int p, int len)
{
    if (p < 0)    p = -p;
    if (p >= len) p = 2 * len - 2 - p;
    return p;
}

__device__ static float range_weight(float diff, float inv2s2)
{
    return __expf(-diff * diff * inv2s2);
}

extern "C" __global__ void bilateral(const float *src, float *dst, image_t img, float inv2s2)
{
    __shared__ float tile[TILE_H][TILE_W + 1];

    const int ox = blockIdx.x * BX - R;
    const int oy = blockIdx.y * BY - R;
    const int flat = threadIdx.y * BX + threadIdx.x;

    for (int e = flat; e < TILE_W * TILE_H; e += BX * BY) {
        const int tx = e % TILE_W;
        const int ty = e / TILE_W;
        const int gx = min(reflect(ox + tx, img.w), img.w - 1);
        const int gy = min(reflect(oy + ty, img.h), img.h - 1);
        tile[ty][tx] = src[max(gy, 0) * img.pitch + max(gx, 0)];
    }
    __syncthreads();

    const int x = blockIdx.x * BX + threadIdx.x;
    const int y = blockIdx.y * BY + threadIdx.y;
    if (x >= img.w || y >= img.h)
        return;

    const float centre = tile[threadIdx.y + R][threadIdx.x + R];
    float num = 0.0f, den = 0.0f;
    for (int dy = -R; dy <= R; dy++) {
        for (int dx = -R; dx <= R; dx++) {
            const float v = tile[threadIdx.y + R + dy][threadIdx.x + R + dx];
            const float wgt = spatial[dx * dx + dy * dy] * range_weight(v - centre, inv2s2);
            num += wgt * v;
            den += wgt;
        }
    }
    dst[y * img.pitch + x] = num / den;
}

/* pixel by pixel in double, nothing shared; the padding of the rows is set to zero on both sides */
extern "C" __global__ void bilateral_plain(const float *src, float *dst, image_t img, double inv2s2)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= img.h * img.pitch) return;
    const int x = i % img.pitch, y = i / img.pitch;
    if (x >= img.w) { dst[i] = 0.0f; return; }
    double num = 0, den = 0;
    for (int v = y - 2; v <= y + 2; v++)
        for (int u = x - 2; u <= x + 2; u++) {
            const int uu = u < 0 ? -u : u >= img.w ? 2 * (img.w - 1) - u : u;
            const int vv = v < 0 ? -v : v >= img.h ? 2 * (img.h - 1) - v : v;
            const double p = src[vv * img.pitch + uu], d = p - src[i];
            const double g = exp(-((u - x) * (u - x) + (v - y) * (v - y)) / 4.5 - d * d * inv2s2);
            num += g * p;
            den += g;
        }
    dst[i] = num / den;
}
