// Fast Hartley transform (Bracewell), in place, decimation in time.
// hartley_begin sorts and does the stage of pairs, hartley_stage doubles the half-length h = 2, 4, ...

kernel void hartley_begin(global const float* x, global float* f, uint bits)
{
	uint i = 2 * get_global_id(0), n = 1u << bits, r = 0;
	global const float* row = x + get_global_id(1) * n;
	for (uint b = 0; b < bits; ++b)
		if (i & (1u << b))
			r |= n >> (b + 1);
	float p = row[r], q = row[r + n / 2];
	f += get_global_id(1) * n;
	f[i] = p + q;
	f[i + 1] = p - q;
}

kernel void hartley_stage(global float* f, uint n, uint h)
{
	uint g = get_global_id(0);
	uint k = g % (h / 2);
	global float* even = f + get_global_id(1) * n + g / (h / 2) * 2 * h;
	global float* odd = even + h;

	if (k == 0) {
		// no angle, and a right one
		float e = even[0], o = odd[0];
		even[0] = e + o;
		odd[0] = e - o;
		e = even[h / 2];
		o = odd[h / 2];
		even[h / 2] = e + o;
		odd[h / 2] = e - o;
		return;
	}
	uint j = h - k;
	float c, s = sincos(M_PI_F * k / h, &c);
	float ek = even[k], ej = even[j];
	float ok = odd[k], oj = odd[j];
	float tk = c * ok + s * oj;
	float tj = s * ok - c * oj;
	even[k] = ek + tk;
	even[j] = ej + tj;
	odd[k] = ek - tk;
	odd[j] = ej - tj;
}

// cas = cos + sin, summed up as it stands
kernel void hartley_sum(global const float* x, global float* H, uint n)
{
	uint k = get_global_id(0), row = get_global_id(1) * n;
	float sum = 0.0f;
	for (uint m = 0; m < n; ++m) {
		float turns = (float)(m * k % n) / n;
		sum += x[row + m] * (cospi(2.0f * turns) + sinpi(2.0f * turns));
	}
	H[row + k] = sum;
}
