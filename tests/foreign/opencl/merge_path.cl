/* each element looks up how many of the sibling run go before it */
int lower(__global const float *p, int n, float key)
{
    int lo = 0;
    while (n > 0) {
        int half_n = n / 2;
        if (p[lo + half_n] < key) { lo += half_n + 1; n -= half_n + 1; }
        else n = half_n;
    }
    return lo;
}

int upper(__global const float *p, int n, float key)
{
    int lo = 0;
    while (n > 0) {
        int half_n = n / 2;
        if (!(key < p[lo + half_n])) { lo += half_n + 1; n -= half_n + 1; }
        else n = half_n;
    }
    return lo;
}

__kernel void merge_level(__global const float *a, __global float *b, int w)
{
    int i = get_global_id(0);
    int run = i / w, off = i % w;
    __global const float *sibling = a + (run ^ 1) * w;
    float key = a[i];
    int c = (run & 1) ? upper(sibling, w, key) : lower(sibling, w, key);
    b[(run >> 1) * 2 * w + off + c] = key;
}
