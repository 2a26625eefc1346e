// y[i] = a[i] * y[i-1] + b[i]  (mod 2^32), y[-1] given: a first-order linear recurrence as a scan of
// affine maps. Composition does not commute, so left and right matter everywhere.
//
// reduce-then-scan over three launches: local scan, serial scan of the block maps, apply.

#define FULL 0xffffffffu
#define WARP 32
#define BLOCK 64

typedef unsigned int u32;

struct map_t { u32 mul, add; };

static __device__ map_t identity() { map_t m; m.mul = 1; m.add = 0; return m; }

/* the map "first, then second" */
static __device__ map_t then(map_t first, map_t second)
{
    map_t m;
    m.mul = first.mul * second.mul;
    m.add = second.mul * first.add + second.add;
    return m;
}

static __device__ map_t shuffle_up(map_t v, int by)
{
    map_t m;
    m.mul = __shfl_up_sync(FULL, v.mul, by);
    m.add = __shfl_up_sync(FULL, v.add, by);
    return m;
}

static __device__ map_t warp_scan(map_t v, int lane)
{
    for (int by = 1; by < WARP; by *= 2) {
        const map_t before = shuffle_up(v, by);
        if (lane >= by)
            v = then(before, v);
    }
    return v;
}

__global__ void local_scan(const u32 *a, const u32 *b, map_t *scanned, map_t *block_maps, int n)
{
    __shared__ map_t warp_maps[BLOCK / WARP];
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;

    map_t v = identity();
    if (i < n) {
        v.mul = a[i];
        v.add = b[i];
    }
    v = warp_scan(v, lane);
    if (lane == WARP - 1)
        warp_maps[warp] = v;
    __syncthreads();

    map_t before = identity();
    for (int w = 0; w < warp; w++)
        before = then(before, warp_maps[w]);
    v = then(before, v);

    if (i < n)
        scanned[i] = v;
    if (threadIdx.x == BLOCK - 1)
        block_maps[blockIdx.x] = v;
}

// carry[k] is the y that block k starts from
__global__ void carry_scan(const map_t *block_maps, u32 *carry, int blocks, u32 y0)
{
    u32 y = y0;
    for (int k = 0; k < blocks; k++) {
        carry[k] = y;
        y = block_maps[k].mul * y + block_maps[k].add;
    }
}

__global__ void apply(const map_t *scanned, const u32 *carry, u32 *y, int n)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n) return;
    const map_t m = scanned[i];
    y[i] = m.mul * carry[blockIdx.x] + m.add;
}

__global__ void recurrence(const u32 *a, const u32 *b, u32 *y, int n, u32 y0)
{
    for (int i = 0; i < n; i++)
        y[i] = y0 = a[i] * y0 + b[i];
}
