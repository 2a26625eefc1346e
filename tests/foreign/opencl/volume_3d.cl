/* volume[z][y][x]; one work item makes one (x, y, kz) */
__kernel void along_z(const __global float2 *vol, __global float2 *res, const float scale)
{
    const size_t x = get_global_id(0), y = get_global_id(1), kz = get_global_id(2);
    const size_t nx = get_global_size(0), ny = get_global_size(1), nz = get_global_size(2);
    const size_t plane = nx * ny;
    const __global float2 *v = vol + y * nx + x;
    float2 s = 0;
    for (size_t z = 0; z < nz; ++z, v += plane) {
        float2 w;
        w.x = cospi(2.0f * (float)((kz * z) % nz) / nz);
        w.y = -sinpi(2.0f * (float)((kz * z) % nz) / nz);
        s += (float2)(v[0].x * w.x - v[0].y * w.y, v[0].x * w.y + v[0].y * w.x);
    }
    res[(kz * ny + y) * nx + x] = s * scale;
}
