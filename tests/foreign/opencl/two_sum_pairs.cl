// A dot product in double-single arithmetic: every partial result is a pair (high, low) whose sum is exact (Knuth, Dekker).
#pragma OPENCL FP_CONTRACT OFF
typedef struct ds { float hi; float lo; } ds;

static ds two_sum(const float a, const float b) {
	ds s; s.hi = a + b;
	const volatile float bb = s.hi - a;
	s.lo = (a - (s.hi - bb)) + (b - bb);
	return s;
}
static ds add(ds x, ds y) { ds s = two_sum(x.hi, y.hi); s.lo += x.lo + y.lo; return two_sum(s.hi, s.lo); }
static void put(local ds *to, const ds *from) { *to = *from; }

kernel void dot_ds(global const float * const restrict x, global const float * const restrict y, global ds * const result,
                   const uint n, local ds * const parts)
{
	const uint me = get_local_id(0), all = get_local_size(0);
	ds sum = { 0, 0 };
	for (uint i = me; i < n; i += all) {
		ds p; p.hi = x[i] * y[i]; p.lo = fma(x[i], y[i], -p.hi);
		sum = add(sum, p);
	}
	put(parts + me, &sum);
	for (uint w = all / 2; w > 0; w /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (me >= w) continue;                 /* the barrier is at the head: all come to it */
		const ds both = add(parts[me], parts[me + w]);
		put(&parts[me], &both);
	}
	if (me == 0) result[0] = parts[0];
}

kernel void dot_plain(global const float *x, global const float *y, global float *hi_lo, const uint n)
{
	ds sum = { 0, 0 };
	for (uint w = 0; w < n; ++w) {
		ds p; p.hi = x[w] * y[w]; p.lo = fma(x[w], y[w], -p.hi);
		sum = add(sum, p);
	}
	hi_lo[0] = sum.hi;
}

kernel void only_high(global const float2 *pair, global float *high) { high[0] = pair->x; }
