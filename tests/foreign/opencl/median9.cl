/* Median of 3 x 3 pixels, edges repeated. Network after Devillard. */
#define EDGE 4
#define SIDE (EDGE + 2)
#define ORDER(a, b) { const uchar less = min(a, b); b = max(a, b); a = less; }

uchar middle(uchar *v)
{
	ORDER(v[1], v[2]) ORDER(v[4], v[5]) ORDER(v[7], v[8])
	ORDER(v[0], v[1]) ORDER(v[3], v[4]) ORDER(v[6], v[7])
	ORDER(v[1], v[2]) ORDER(v[4], v[5]) ORDER(v[7], v[8])
	ORDER(v[0], v[3]) ORDER(v[5], v[8]) ORDER(v[4], v[7])
	ORDER(v[3], v[6]) ORDER(v[1], v[4]) ORDER(v[2], v[5])
	ORDER(v[4], v[7]) ORDER(v[4], v[2]) ORDER(v[6], v[4])
	ORDER(v[4], v[2])
	return v[4];
}

kernel void median3x3(global const uchar *src, global uchar *dst, const int2 size)
{
	local uchar tile[SIDE * SIDE];
	const int lx = get_local_id(0), ly = get_local_id(1);
	const int2 corner = (int2)(get_group_id(0), get_group_id(1)) * EDGE - 1;

	for (int t = ly * EDGE + lx; t < SIDE * SIDE; t += EDGE * EDGE) {
		int2 at = corner + (int2)(t % SIDE, t / SIDE);
		at = clamp(at, (int2)(0), size - 1);
		tile[t] = src[at.y * size.x + at.x];
	}
	barrier(CLK_LOCAL_MEM_FENCE);

	uchar v[9];
	for (int k = 0; k < 9; k++)
		v[k] = tile[(ly + k / 3) * SIDE + lx + k % 3];

	const int x = get_global_id(0), y = get_global_id(1);
	if (x < size.x && y < size.y)
		dst[y * size.x + x] = middle(v);
}

kernel void median_slow(global const uchar *src, global uchar *dst, int w, int h)
{
	int x = get_global_id(0), y = get_global_id(1), many = 0;
	uchar v[9];
	for (int dy = -1; dy <= 1; dy++)
		for (int dx = -1; dx <= 1; dx++) {
			uchar p = src[clamp(y + dy, 0, h - 1) * w + clamp(x + dx, 0, w - 1)];
			int at = many++;
			for (; at > 0 && v[at - 1] > p; at--)
				v[at] = v[at - 1];
			v[at] = p;
		}
	dst[y * w + x] = v[4];
}
