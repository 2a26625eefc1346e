__kernel void brick(__global int *keys, int n)
{
    int id = get_local_id(0), swaps = 0;
    for (int round = 0; round < n; round++) {
        int i = 2 * id + (round & 1);
        if (i + 1 < n) {
            int a = keys[i], b = keys[i + 1];
            a > b ? (keys[i] = b, keys[i + 1] = a, swaps++) : 0;
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
