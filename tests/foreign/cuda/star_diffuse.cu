// Diffusion with the fourth-order star (two neighbours each way), edges clamped.
// Tiles of TX x TY points with a border of RAD all round.

#define TX  16
#define TY  4
#define RAD 2
#define SW  (TX + 2 * RAD)
#define SH  (TY + 2 * RAD)

struct Grid { int w, h; };

static __device__ int clamped(int v, int end) { return v < 0 ? 0 : v >= end ? end - 1 : v; }

__global__ void diffuse_tile(const float *u, float *v, Grid g, float k)
{
    __shared__ float s[SH][SW + 1];

    const int x0 = blockIdx.x * TX - RAD;
    const int y0 = blockIdx.y * TY - RAD;

    // all threads together fetch the tile with its border, row by row
    for (int i = threadIdx.y * TX + threadIdx.x; i < SW * SH; i += TX * TY) {
        const int sx = i % SW, sy = i / SW;
        s[sy][sx] = u[clamped(y0 + sy, g.h) * g.w + clamped(x0 + sx, g.w)];
    }
    __syncthreads();

    const int x = blockIdx.x * TX + threadIdx.x;
    const int y = blockIdx.y * TY + threadIdx.y;
    if (x >= g.w || y >= g.h)
        return;

    const int cx = threadIdx.x + RAD, cy = threadIdx.y + RAD;
    const float near = s[cy][cx - 1] + s[cy][cx + 1] + s[cy - 1][cx] + s[cy + 1][cx];
    const float far  = s[cy][cx - 2] + s[cy][cx + 2] + s[cy - 2][cx] + s[cy + 2][cx];
    const float lap  = (16.0f * near - far - 60.0f * s[cy][cx]) / 12.0f;
    v[y * g.w + x] = s[cy][cx] + k * lap;
}

// the same without tiles, a point a thread
__global__ void diffuse_plain(const float *u, float *v, Grid g, float k)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= g.w * g.h) return;
    const int x = i % g.w, y = i / g.w;

    auto at = [&](int dx, int dy) { return u[clamped(y + dy, g.h) * g.w + clamped(x + dx, g.w)]; };

    float lap = -5.0f * at(0, 0);
    for (int d = 1; d <= 2; d++) {
        const float c = d == 1 ? 4.0f / 3.0f : -1.0f / 12.0f;
        lap += c * (at(d, 0) + at(-d, 0) + at(0, d) + at(0, -d));
    }
    v[i] = u[i] + k * lap;
}
