/* y[i] = sum_k h[k] x[(i-k) mod n] : row i of a circulant matrix, 4 items share a row */
__attribute__((reqd_work_group_size(4, 4, 1)))
__kernel void circulant(__global const float *x, __global const float *h, __global float *y, int n, int m)
{
    __local float part[4][4];
    int lane = get_local_id(0), row = get_local_id(1), i = get_global_id(1);
    float p = 0.0f;
    for (int k = lane; k < m; k += 4) {
        int idx = i - k;
        idx += (idx < 0) ? n : 0;
        p += h[k] * x[idx];
    }
    part[row][lane] = p;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == 0)
        y[i] = part[row][0] + part[row][1] + part[row][2] + part[row][3];
}
