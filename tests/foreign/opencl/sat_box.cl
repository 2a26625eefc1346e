// summed area table -> box mean with any radius
// rows are scanned, the result is transposed, rows are scanned again, transposed back

#define SCAN_W 8
#define TILE 4

__kernel void widen(__global const uchar* src, __global uint* dst, uint count) {
    uint i = get_global_id(0);
    if (i < count) dst[i] = src[i];
}

// one work-group per row; SCAN_W columns at a time, "carry" runs along
__kernel void scan_rows(__global uint* m, uint width) {
    __local uint buf[2][SCAN_W];
    __local uint carry;
    uint x0, lx = get_local_id(0);
    __global uint* row = m + get_group_id(1) * width;

    if (lx == 0) carry = 0;
    for (x0 = 0; x0 < width; x0 += SCAN_W) {
        uint x = x0 + lx;
        uint cur = 0;
        buf[cur][lx] = x < width ? row[x] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint off = 1; off < SCAN_W; off *= 2) {
            uint v = buf[cur][lx];
            if (lx >= off) v += buf[cur][lx - off];
            cur = 1 - cur;
            buf[cur][lx] = v;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (x < width) row[x] = buf[cur][lx] + carry;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lx == SCAN_W - 1) carry += buf[cur][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

__kernel void transpose(__global const uint* in, __global uint* out, uint width, uint height) {
    __local uint tile[TILE][TILE + 1];
    uint lx = get_local_id(0), ly = get_local_id(1);
    uint x = get_group_id(0) * TILE + lx;
    uint y = get_group_id(1) * TILE + ly;
    if (x < width && y < height)
        tile[ly][lx] = in[y * width + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * TILE + lx;
    y = get_group_id(0) * TILE + ly;
    if (x < height && y < width)
        out[y * height + x] = tile[lx][ly];
}

uint sat_at(__global const uint* sat, int x, int y, int width) {
    return (x < 0 || y < 0) ? 0 : sat[y * width + x];
}

__kernel void box_mean(__global const uint* sat, __global uchar* dst, int width, int height, int radius) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height) return;
    int xl = max(x - radius, 0) - 1, xr = min(x + radius, width - 1);
    int yt = max(y - radius, 0) - 1, yb = min(y + radius, height - 1);
    uint area = (xr - xl) * (yb - yt);
    uint sum = sat_at(sat, xr, yb, width) - sat_at(sat, xl, yb, width)
             - sat_at(sat, xr, yt, width) + sat_at(sat, xl, yt, width);
    dst[y * width + x] = (sum + area / 2) / area;
}

__kernel void box_direct(__global const uchar* src, __global uchar* dst, int width, int height, int radius) {
    int x = get_global_id(0), y = get_global_id(1);
    uint s = 0, k = 0;
    for (int j = y - radius; j <= y + radius; j++)
        for (int i = x - radius; i <= x + radius; i++)
            if (i >= 0 && j >= 0 && i < width && j < height) { s += src[j * width + i]; k++; }
    dst[y * width + x] = (s + k / 2) / k;
}
