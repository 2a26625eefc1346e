#define W 6
#define IDX(y, x) ((y) * w + (x))

__kernel __attribute__((reqd_work_group_size(W - 2, W - 2, 1)))
void jacobi(__global const float *u, __global float *v, const int w, const int h)
{
    __local float s[W * W];
    const int lx = get_local_id(0) + 1, ly = get_local_id(1) + 1;
    const int x = get_global_id(0) + 1, y = get_global_id(1) + 1;

    s[ly * W + lx] = u[IDX(y, x)];
    if (lx == 1)     s[ly * W]         = u[IDX(y, x - 1)];
    if (lx == W - 2) s[ly * W + W - 1] = u[IDX(y, x + 1)];
    if (ly == 1)     s[lx]             = u[IDX(y - 1, x)];
    if (ly == W - 2) s[(W - 1)*W + lx] = u[IDX(y + 1, x)];
    barrier(CLK_LOCAL_MEM_FENCE);

    const __local float *c = s + ly * W + lx;
    v[IDX(y, x)] = 0.25f * (c[-1] + c[1] + c[-W] + c[W]);
}

__kernel void copy_all(__global const float *u, __global float *v) { v[get_global_id(0)] = u[get_global_id(0)]; }

__kernel void two_steps_slow(__global const float *u, __global float *r, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x == 0 || y == 0 || x == w - 1 || y == h - 1) { r[IDX(y, x)] = u[IDX(y, x)]; return; }
    const int dx[4] = {-1, 1, 0, 0}, dy[4] = {0, 0, -1, 1};
    float sum = 0;
    for (int d = 0; d < 4; d++) {
        int p = x + dx[d], q = y + dy[d];
        float t = 0;
        if (p == 0 || q == 0 || p == w - 1 || q == h - 1) t = u[IDX(q, p)];
        else {
            for (int e = 0; e < 4; e++) t += u[IDX(q + dy[e], p + dx[e])];
            t *= 0.25f;
        }
        sum += t;
    }
    r[IDX(y, x)] = sum * 0.25f;
}
