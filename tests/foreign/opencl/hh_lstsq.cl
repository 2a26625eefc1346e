/* HHLSTSQ: least squares  min || A x - b ||  by Householder reflections, batched.
   A is M by NC, column major with leading dimension LDA; one work-group per problem.
   On exit A holds R above the diagonal and the reflectors below. */

#define NC 4
#define A(i,j)  a[(i) + (j) * lda]

/* sum over the group of what every work-item brings */
double gsum(local double *w, double part)
{
    const int t = get_local_id(0);
    w[t] = part;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = get_local_size(0) / 2; s >= 1; s /= 2) {
        if (t < s) w[t] += w[t + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    double total = w[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return total;
}

kernel void hhlstsq(global double *abat, global double *bbat, global double *xbat,
                    int m, int lda, local double *work)
{
    const int t = get_local_id(0), nt = get_local_size(0);
    const int prob = get_group_id(0);
    global double *a = abat + prob * lda * NC;
    global double *b = bbat + prob * m;
    global double *x = xbat + prob * NC;

    for (int k = 0; k < NC; k++) {
        double part = 0.0;
        for (int i = k + 1 + t; i < m; i += nt)
            part += A(i,k) * A(i,k);
        const double below = gsum(work, part);
        const double akk = A(k,k);
        const double nrm = sqrt(akk * akk + below);
        const double beta = akk > 0.0 ? -nrm : nrm;
        const double vk = akk - beta;               /* v = (vk, A(k+1:m,k)) */
        const double tau = 2.0 / (vk * vk + below);

        for (int j = k + 1; j <= NC; j++) {         /* column NC is the right side */
            global double *c = j < NC ? &A(0,j) : b;
            part = t == 0 ? vk * c[k] : 0.0;
            for (int i = k + 1 + t; i < m; i += nt)
                part += A(i,k) * c[i];
            const double f = tau * gsum(work, part);
            if (t == 0) c[k] -= f * vk;
            for (int i = k + 1 + t; i < m; i += nt)
                c[i] -= f * A(i,k);
            barrier(CLK_GLOBAL_MEM_FENCE);
        }
        if (t == 0) A(k,k) = beta;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }

    /* back substitution */
    if (t == 0) {
        double sol[NC];
        for (int k = NC - 1; k >= 0; k--) {
            double r = b[k];
            for (int j = k + 1; j < NC; j++)
                r -= A(k,j) * sol[j];
            sol[k] = r / A(k,k);
            x[k] = sol[k];
        }
    }
}

/* normal equations, Gauss-Jordan, one work-item per problem; runs before hhlstsq destroys A and b */
kernel void normal_eq(global const double *abat, global const double *bbat, global double *xbat, int m, int lda)
{
    const int p = get_global_id(0);
    global const double *a = abat + p * lda * NC;
    double g[NC][NC + 1];
    for (int r = 0; r < NC; r++)
        for (int c = 0; c <= NC; c++) {
            g[r][c] = 0.0;
            for (int i = 0; i < m; i++)
                g[r][c] += A(i,r) * (c < NC ? A(i,c) : bbat[p * m + i]);
        }
    for (int d = 0; d < NC; d++) {
        const double piv = g[d][d];
        for (int c = 0; c <= NC; c++) g[d][c] /= piv;
        for (int r = 0; r < NC; r++) {
            if (r == d) continue;
            const double f = g[r][d];
            for (int c = 0; c <= NC; c++) g[r][c] -= f * g[d][c];
        }
    }
    for (int r = 0; r < NC; r++) xbat[p * NC + r] = g[r][NC];
}
