// 2-D correlation of a pitched float image with a 5 x 3 mask, borders replicated.
// A group of BX x BY items fetches its tile with the halo, row by row.

#define BX 8
#define BY 4
#define RX 2
#define RY 1
#define TW (BX + 2 * RX)
#define TH (BY + 2 * RY)

struct image_info {
    int width;
    int height;
    int pitch;      // in elements
};

__attribute__((reqd_work_group_size(BX, BY, 1)))
kernel void convolve_tiled(global const float* image,
                           constant float* mask,
                           global float* result,
                           const int width, const int height, const int pitch)
{
    local float tile[TH][TW + 1];

    const struct image_info info = { width, height, pitch };
    const int2 lid    = (int2)(get_local_id(0), get_local_id(1));
    const int2 origin = (int2)(get_group_id(0) * BX - RX, get_group_id(1) * BY - RY);

    for (int ty = lid.y; ty < TH; ty += BY) {
        const int sy = clamp(origin.y + ty, 0, info.height - 1);
        for (int tx = lid.x; tx < TW; tx += BX) {
            const int sx = clamp(origin.x + tx, 0, info.width - 1);
            tile[ty][tx] = image[sy * info.pitch + sx];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= info.width || y >= info.height)
        return;

    float sum = 0.0f;
    for (int my = 0; my <= 2 * RY; ++my)
        for (int mx = 0; mx <= 2 * RX; ++mx)
            sum = mad(mask[my * (2 * RX + 1) + mx], tile[lid.y + my][lid.x + mx], sum);

    result[y * info.width + x] = sum;
}

// one item a pixel, straight from global memory
kernel void convolve_plain(global const float* image, constant float* mask, global float* result,
                           int width, int height, int pitch)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0.0f;
    for (int j = -RY; j <= RY; j++)
        for (int i = -RX; i <= RX; i++) {
            int xx = min(max(x + i, 0), width - 1);
            int yy = min(max(y + j, 0), height - 1);
            sum += image[yy * pitch + xx] * mask[(j + RY) * 5 + i + RX];
        }
    result[y * width + x] = sum;
}
