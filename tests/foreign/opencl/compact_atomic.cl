__kernel void push_positive(__global const float *x, __global float *y, volatile __global int *tail)
{
    const float v = x[get_global_id(0)];
    if (v <= 0) return;
    y[atomic_inc(tail)] = v;
}

__kernel void clear_to(__global float *y, const float v) { y[get_global_id(0)] = v; }

__kernel void clamp_low(__global const float *x, __global float *z) { z[get_global_id(0)] = x[get_global_id(0)] > 0 ? x[get_global_id(0)] : 0; }

__kernel void insertion(__global float *y, int n)
{
    for (int i = 1; i < n; i++) {
        float key = y[i];
        int j = i - 1;
        for (; j >= 0 && y[j] > key; j--) y[j + 1] = y[j];
        y[j + 1] = key;
    }
}
