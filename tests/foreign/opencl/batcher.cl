// Batcher's odd-even merge sort for any length (Knuth 5.2.2, algorithm M): a launch per (p, k).
kernel void merge_exchange(global short *key, const uint n, const uint p, const uint k)
{
    const uint g = get_global_id(0);
    const uint off = k & (p - 1);
    const uint lo = off + g / k * 2 * k + g % k;
    const uint hi = lo + k;

    if (hi >= n)
        return;
    if (lo / (2 * p) != hi / (2 * p))
        return;

    const short a = key[lo], b = key[hi];
    if (a > b) {
        key[lo] = b;
        key[hi] = a;
    }
}
