/* Two smoothing steps per launch: a tile with a halo of two, and ends that stay. The plain kernel is the reference. */
#define TILE 8
#define STEPS 2

kernel void smooth_once(global const float *src, global float *dst, int n)
{
    int i = get_global_id(0);
    if (i >= n) return;
    dst[i] = (i == 0 || i == n - 1) ? src[i] : 0.25f * src[i - 1] + 0.5f * src[i] + 0.25f * src[i + 1];
}

kernel void smooth_twice(global const float *src, global float *dst, int n)
{
    local float a[TILE + 2 * STEPS], b[TILE + 2 * STEPS];
    const int t = get_local_id(0);                      // TILE + 2 * STEPS items
    const int i = (int)get_group_id(0) * TILE + t - STEPS;
    const bool inside = i >= 0 && i < n;
    const bool fixed = i <= 0 || i >= n - 1;

    a[t] = inside ? src[i] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t >= 1 && t < TILE + 2 * STEPS - 1)
        b[t] = fixed ? a[t] : 0.25f * a[t - 1] + 0.5f * a[t] + 0.25f * a[t + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t >= STEPS && t < TILE + STEPS && i < n)
        dst[i] = fixed ? b[t] : 0.25f * b[t - 1] + 0.5f * b[t] + 0.25f * b[t + 1];
}
