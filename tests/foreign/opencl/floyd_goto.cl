/* all pairs shortest paths, blocked by phases; the k loop is the host's for "plain", the kernel's for one group */
#define INF 0x3fffffff
#define AT(m, r, c) ((m)[mad24((int)(r), n, (int)(c))])

__kernel void plain_step(__global int *d, int n, int k)
{
    const int c = get_global_id(0), r = get_global_id(1);
    if (r == k || c == k) return;
    const int via = AT(d, r, k) + AT(d, k, c);
    AT(d, r, c) = min(AT(d, r, c), via);
}

__kernel void copy(__global const int *w, __global int *a, __global int *b, int n)
{
    int i = get_global_id(0);
    do {
        const int v = (int)(abs(w[i]) % 1000u) + 1;
        a[i] = v; b[i] = v;
    } while ((i += get_global_size(0)) < n * n);
}

__kernel void all_in_one(__global int *restrict d, const int n, __local int *row, __local int *col)
{
    const int me = get_local_id(0), lanes = get_local_size(0);
    int k = 0;
next:
    if (k == n) goto done;
    for (int i = me; i < n; i += lanes) { row[i] = AT(d, k, i); col[i] = AT(d, i, k); }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (int at = me; at < n * n; at += lanes) {
        const int r = at / n, c = at % n;
        const int via = col[r] + row[c];
        if (via < d[at]) d[at] = via;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    ++k;
    goto next;
done:;
}
