// x_{n+1} = 1664525 x_n + 1013904223 mod 2^32, item k jumps straight to its place
__kernel void skip(__global uint *out, const uint seed)
{
    const uint k = get_global_id(0);
    ulong a = 1664525ul, c = 1013904223ul, A = 1, C = 0;
    for (uint e = k + 1; e; e >>= 1) {
        if (e & 1) {
            A = A * a & 0xfffffffful;
            C = (C * a + c) & 0xfffffffful;
        }
        c = (a + 1) * c & 0xfffffffful;
        a = a * a & 0xfffffffful;
    }
    out[k] = (uint)(A * seed + C);
}

__kernel void step_by_step(__global uint *out, uint x, int n)
{
    for (int i = 0; i < n; i++)
        *out++ = x = x * 1664525u + 1013904223u;
}
