// Two channels, one transform each: sums and differences of the same places, no complex number anywhere.
__kernel void wht_step(__global float *left, __global float *right, int h)
{
    int g = get_global_id(0);
    int i = (g / h) * 2 * h + g % h;
    float a = left[i], b = left[i + h];
    float c = right[i], d = right[i + h];
    left[i] = a + b;
    left[i + h] = a - b;
    right[i] = c + d;
    right[i + h] = c - d;
}
