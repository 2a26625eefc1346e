// Levenshtein distances of a word to all beginnings of another one: the table by anti-diagonals, three of them in local memory.
#define LETTER(v) ((v) & 3)

__kernel void lev(__global const int *s, __global const int *t, __global int *out, int n, __local int *room)
{
	const int i = get_local_id(0) + 1;
	__local int *now = room, *last = room + (n + 1), *before = room + 2 * (n + 1);

	if (i == 1) {
		before[0] = 0;
		last[0] = last[1] = 1;
	}
	barrier(CLK_LOCAL_MEM_FENCE);

	for (int k = 2; k <= 2 * n; ++k) {
		const int j = k - i;
		if (i == 1 && k <= n)
			now[0] = k;
		if (j == 0)
			now[i] = i;
		if (j >= 1 && j <= n) {
			int change = before[i - 1] + (LETTER(s[i - 1]) != LETTER(t[j - 1]));
			int drop = last[i - 1] + 1;
			int insert = last[i] + 1;
			now[i] = min(change, min(drop, insert));
			if (j == n)
				out[i - 1] = now[i];
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		__local int *spare = before;
		before = last;
		last = now;
		now = spare;
	}
}

__kernel void lev_slow(__global const int *s, __global const int *t, __global int *want, __global int *d, int n)
{
	const int w = n + 1;
	for (int i = 0; i <= n; i++)
		for (int j = 0; j <= n; j++) {
			if (i == 0 || j == 0) { d[i * w + j] = i + j; continue; }
			int c = d[(i - 1) * w + j - 1] + (LETTER(s[i - 1]) != LETTER(t[j - 1]));
			d[i * w + j] = min(c, 1 + min(d[(i - 1) * w + j], d[i * w + j - 1]));
			if (j == n) want[i - 1] = d[i * w + n];
		}
}
