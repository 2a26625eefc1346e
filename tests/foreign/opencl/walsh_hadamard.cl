// fast Walsh-Hadamard, natural order; value j in a private vector per item, xor shuffles through local memory
__kernel void fwht(__global const float *x, __global float *y)
{
    __local float sh[2][8];
    const int i = get_local_id(0);
    float v = x[i];
    int b = 0;
    for (int m = 1; m < 8; m += m) {
        sh[b][i] = v;
        barrier(CLK_LOCAL_MEM_FENCE);
        float other = sh[b][i ^ m];
        v = (i & m) ? other - v : v + other;
        b ^= 1;
    }
    y[i] = v;
}
