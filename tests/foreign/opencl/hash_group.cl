/*
 * SELECT key, SUM(qty) ... GROUP BY key, with an open-addressing table (linear probing),
 * then look-ups for keys drawn by a PCG-like generator. Each work-item jumps straight to
 * its own place in the random sequence.
 */
#define FREE_SLOT 0xFFFFFFFFu
#define LCG_MUL 747796405u
#define LCG_ADD 2891336453u

uint mix(uint h)
{
	h ^= h >> 16;
	h *= 0x85ebca6bu;
	h ^= h >> 13;
	h *= 0xc2b2ae35u;
	h ^= h >> 16;
	return h;
}

__kernel void clear_table(__global uint *slot_key, __global int *slot_sum)
{
	slot_key[get_global_id(0)] = FREE_SLOT;
	slot_sum[get_global_id(0)] = 0;
}

__kernel void group_sum(__global const uint *key, __global const int *qty,
                        volatile __global uint *slot_key, volatile __global int *slot_sum,
                        uint rows, uint mask)
{
	uint r = get_global_id(0);
	if (r >= rows)
		return;

	uint k = key[r] % 32;
	uint s = mix(k) & mask;
	for (;;) {
		uint seen = atomic_cmpxchg(&slot_key[s], FREE_SLOT, k);
		if (seen == FREE_SLOT || seen == k)
			break;
		s = (s + 1) & mask;
	}
	atomic_add(&slot_sum[s], qty[r]);
}

/* state after "steps" steps of x -> MUL*x + ADD */
uint lcg_jump(uint x, uint steps)
{
	uint mul = LCG_MUL, add = LCG_ADD, acc_mul = 1, acc_add = 0;
	while (steps) {
		if (steps & 1) {
			acc_mul *= mul;
			acc_add = acc_add * mul + add;
		}
		add *= mul + 1;
		mul *= mul;
		steps >>= 1;
	}
	return acc_mul * x + acc_add;
}

uint pcg_output(uint state)
{
	uint word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
	return (word >> 22) ^ word;
}

__kernel void query(__global const uint *slot_key, __global const int *slot_sum,
                    __global int *answer, uint queries, uint mask, uint seed)
{
	uint q = get_global_id(0);
	if (q >= queries)
		return;

	uint k = pcg_output(lcg_jump(seed, q + 1)) % 32;
	uint s = mix(k) & mask;
	int found = -1;
	while (slot_key[s] != FREE_SLOT) {
		if (slot_key[s] == k) {
			found = slot_sum[s];
			break;
		}
		s = (s + 1) & mask;
	}
	answer[q] = found;
}

/* nested loops, generator stepped one by one */
__kernel void query_slow(__global const uint *key, __global const int *qty, __global int *answer,
                         uint rows, uint queries, uint seed)
{
	uint st = seed;
	for (uint q = 0; q < queries; q++) {
		st = st * LCG_MUL + LCG_ADD;
		uint w = st ^ (st >> (4 + (st >> 28)));
		w *= 277803737u;
		w ^= w >> 22;
		int sum = 0, hits = 0;
		for (uint r = 0; r < rows; r++)
			if (key[r] % 32 == w % 32) {
				sum += qty[r];
				hits++;
			}
		answer[q] = hits ? sum : -1;
	}
}
