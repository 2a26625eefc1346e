__kernel void life(__global uint *world, __local uchar *a, const int w, const int h, int generations)
{
    const int x = get_local_id(0), y = get_local_id(1);
    __local uchar *now = a, *next = a + w * h;
    now[y * w + x] = (uchar)world[y * w + x];
    while (generations-- > 0) {
        barrier(CLK_LOCAL_MEM_FENCE);
        char n = 0;
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                if (!dx && !dy) continue;
                n += now[((y + dy + h) % h) * w + (x + dx + w) % w];
            }
        next[y * w + x] = n == 3 || (n == 2 && now[y * w + x]);
        __local uchar *t = now; now = next; next = t;
    }
    world[y * w + x] = now[y * w + x];
}
