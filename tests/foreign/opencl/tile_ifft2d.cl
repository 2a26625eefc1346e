#ifndef N
#define N 8
#endif
__kernel __attribute__((reqd_work_group_size(N, N, 1)))
void tile_ifft2(__global const float2 *F, __global float2 *f)
{
    __local float2 t[N][N + 1];
    __local float2 w[N];
    const int x = get_local_id(0), y = get_local_id(1);

    t[y][x] = F[y * N + x];
    if (y == 0)
        w[x] = (float2)(cospi(2.0f * x / N), sinpi(2.0f * x / N));
    barrier(CLK_LOCAL_MEM_FENCE);

    float2 acc = (float2)0.0f;
    for (int j = 0, e = 0; j < N; j++, e = (e + x) % N)
        acc += (float2)(t[y][j].x * w[e].x - t[y][j].y * w[e].y,
                        t[y][j].x * w[e].y + t[y][j].y * w[e].x);
    barrier(CLK_LOCAL_MEM_FENCE);
    t[y][x] = acc;
    barrier(CLK_LOCAL_MEM_FENCE);

    acc = (float2)0.0f;
    for (int j = 0, e = 0; j < N; j++, e = (e + y) % N)
        acc += (float2)(t[j][x].x * w[e].x - t[j][x].y * w[e].y,
                        t[j][x].x * w[e].y + t[j][x].y * w[e].x);
    f[y * N + x] = acc / (N * N);
}
