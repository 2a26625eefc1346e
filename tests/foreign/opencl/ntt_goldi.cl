/* p = 119 * 2^23 + 1 */
constant uint MOD = 998244353;
#define MULMOD(a, b) ((uint)((ulong)(a) * (b) % MOD))

uint ipow(uint g, uint n)
{
	uint z;
	for (z = 1; n; n >>= 1, g = MULMOD(g, g))
		if (n & 1)
			z = MULMOD(z, g);
	return z;
}

kernel void ntt_pass(global const uint *restrict s, global uint *restrict d, uint m, uint root)
{
	/* root has order 2*m in this pass */
	const uint h = get_global_size(0), i = get_global_id(0);
	const uint k = i % m;
	const uint w = ipow(root, k);
	const uint u = s[i], v = MULMOD(s[i + h], w);
	uint hi = u + v;
	if (hi >= MOD)
		hi -= MOD;
	d[2*i - k] = hi;
	d[2*i - k + m] = u >= v ? u - v : u + MOD - v;
}
