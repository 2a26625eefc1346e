/*
 * Conjugate gradients, matrix in hybrid format: ELL (3 slots per row, column-major)
 * plus a COO tail for what does not fit.
 *
 * scal[0] = r.r   scal[1] = p.Ap   scal[2] = new r.r
 */
#define ELL_W 3
#define EMPTY (-1)

__kernel void fill_matrix(__global float* ell_val, __global int* ell_col,
                          __global int* coo_row, __global int* coo_col, __global float* coo_val, int rows)
{
    int r = get_global_id(0);
    int slot = 0;
    for (int c = r - 1; c <= r + 1; ++c) {
        if (c < 0 || c >= rows) continue;
        ell_val[slot * rows + r] = c == r ? 4.0f + 0.25f * (r % 3) : -1.0f;
        ell_col[slot * rows + r] = c;
        ++slot;
    }
    for (; slot < ELL_W; ++slot) {
        ell_val[slot * rows + r] = 0.0f;
        ell_col[slot * rows + r] = EMPTY;
    }
    /* tail: an arrow in the first row and the first column, from column 2 on */
    if (r >= 2) {
        int e = 2 * (r - 2);
        coo_row[e] = 0;      coo_col[e] = r;      coo_val[e] = 0.125f;
        coo_row[e + 1] = r;  coo_col[e + 1] = 0;  coo_val[e + 1] = 0.125f;
    }
}

__kernel void cg_start(__global const float* b, __global float* x, __global float* r, __global float* p)
{
    int i = get_global_id(0);
    x[i] = 0.0f;
    r[i] = b[i];
    p[i] = b[i];
}

__kernel void spmv_ell(__global const float* ell_val, __global const int* ell_col,
                       __global const float* x, __global float* y, int rows)
{
    int r = get_global_id(0);
    float sum = 0.0f;
    for (int s = 0; s < ELL_W; ++s) {
        int c = ell_col[s * rows + r];
        if (c != EMPTY)
            sum += ell_val[s * rows + r] * x[c];
    }
    y[r] = sum;
}

/* y += tail * x ; one work-item walks each row's entries (unsorted list, short) */
__kernel void spmv_coo_add(__global const int* coo_row, __global const int* coo_col, __global const float* coo_val,
                           __global const float* x, __global float* y, int nnz)
{
    int r = get_global_id(0);
    float sum = y[r];
    for (int e = 0; e < nnz; ++e)
        if (coo_row[e] == r)
            sum += coo_val[e] * x[coo_col[e]];
    y[r] = sum;
}

__kernel void dot_product(__global const float* a, __global const float* b, __global float* scal, int where, int len,
                          __local float* tmp)
{
    int t = get_local_id(0);
    int width = get_local_size(0);
    float sum = 0.0f;
    for (int i = t; i < len; i += width)
        sum += a[i] * b[i];
    tmp[t] = sum;
    for (int s = width / 2; s > 0; s /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < s)
            tmp[t] += tmp[t + s];
    }
    if (t == 0)
        scal[where] = tmp[0];
}

__kernel void update_x_r(__global float* x, __global float* r, __global const float* p, __global const float* ap,
                         __global const float* scal)
{
    int i = get_global_id(0);
    float alpha = scal[0] / scal[1];
    x[i] += alpha * p[i];
    r[i] -= alpha * ap[i];
}

__kernel void update_p(__global float* p, __global const float* r, __global const float* scal)
{
    int i = get_global_id(0);
    float beta = scal[2] / scal[0];
    p[i] = r[i] + beta * p[i];
}

__kernel void shift_scal(__global float* scal)
{
    scal[0] = scal[2];
}

/* the same system, dense, by Gauss elimination without pivoting (diagonally dominant) */
__kernel void solve_dense(__global const float* b, __global float* x, int rows)
{
    double a[16][17];
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < rows; ++j)
            a[i][j] = i == j ? 4.0 + (i % 3) / 4.0 : abs(i - j) == 1 ? -1.0 : (i == 0 || j == 0) ? 0.125 : 0.0;
        a[i][rows] = b[i];
    }
    for (int k = 0; k < rows; ++k)
        for (int i = 0; i < rows; ++i) {
            if (i == k) continue;
            double f = a[i][k] / a[k][k];
            for (int j = k; j <= rows; ++j)
                a[i][j] -= f * a[k][j];
        }
    for (int i = 0; i < rows; ++i)
        x[i] = (float)(a[i][rows] / a[i][i]);
}
