#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define L(i,j) l[(i) * n + (j)]

kernel void make_lower(global const double *seed, global double *l, int n)
{
    int i = get_global_id(1), j = get_global_id(0);
    L(i, j) = j > i ? 0.0 : j == i ? 2.0 : seed[(i * 7 + j * 3) % n];
}

kernel void multiply_lower(global const double *l, global const double *x, global double *b, int n)
{
    int i = get_global_id(0);
    double s = 0;
    for (int j = 0; j <= i; j++) s += L(i, j) * x[j];
    b[i] = s;
}

kernel void solve(global const double *l, global double *b, local double *pivot, int n)
{
    const int row = get_local_id(0);
    double rest = b[row];
    for (int col = 0; col < n; col++) {
        if (row == col) {
            rest /= L(col, col);
            *pivot = rest;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (row > col)
            rest -= L(row, col) * *pivot;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    b[row] = rest;
}
