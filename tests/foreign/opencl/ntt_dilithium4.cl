// NTT over Z_q, q = 8380417 = 2^23 - 2^13 + 1, radix 4, decimation in frequency, in place.
#define Q 8380417u

typedef uint  u32;
typedef ulong u64;

static u32 add_q(u32 a, u32 b) { u32 r = a + b; return r >= Q ? r - Q : r; }
static u32 sub_q(u32 a, u32 b) { return a >= b ? a - b : a + Q - b; }

// 2^23 = 2^13 - 1 mod q: fold twice, subtract at most once
static u32 mul_q(u32 a, u32 b)
{
    u64 t = (u64)a * b;                              // < 2^46
    t = (t & 0x7fffffu) + (t >> 23) * 8191u;         // < 2^37
    t = (t & 0x7fffffu) + (t >> 23) * 8191u;         // < 2^28
    t = (t & 0x7fffffu) + (t >> 23) * 8191u;         // < 2^24
    return t >= Q ? (u32)t - Q : (u32)t;
}

// zetas[i] = root^i
__kernel void make_zetas(__global u32 *zetas, u32 root)
{
    u32 e = get_global_id(0);
    u32 z = 1, s = root;
    for (u32 left = e; left; left >>= 1) {
        if (left & 1) z = mul_q(z, s);
        s = mul_q(s, s);
    }
    zetas[e] = z;
}

__kernel void ntt_layer4(__global u32 *r, __global const u32 *zetas, u32 n, u32 len)
{
    const u32 g = get_global_id(0);
    const u32 quarter = len / 4;
    const u32 j = g % quarter;
    const u32 at = g / quarter * len + j;
    const u32 jump = n / len;

    const u32 a = r[at];
    const u32 b = r[at + quarter];
    const u32 c = r[at + 2 * quarter];
    const u32 d = r[at + 3 * quarter];

    const u32 s = add_q(a, c), t = sub_q(a, c);
    const u32 u = add_q(b, d), v = mul_q(sub_q(b, d), zetas[n / 4]);

    r[at]               = add_q(s, u);
    r[at + quarter]     = mul_q(add_q(t, v), zetas[jump * j]);
    r[at + 2 * quarter] = mul_q(sub_q(s, u), zetas[jump * 2 * j]);
    r[at + 3 * quarter] = mul_q(sub_q(t, v), zetas[jump * 3 * j]);
}

// base-4 digits reversed; the item with the smaller index swaps
__kernel void unscramble(__global u32 *r, u32 n)
{
    u32 i = get_global_id(0), rev = 0;
    for (u32 m = n, v = i; m > 1; m /= 4, v /= 4)
        rev = 4 * rev + v % 4;
    if (i < rev) {
        u32 tmp = r[i];
        r[i] = r[rev];
        r[rev] = tmp;
    }
}
