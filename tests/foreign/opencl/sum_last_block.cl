#define BLOCK 8
__kernel void sum_once(__global const int *g_in, volatile __global int *g_part, __global int *g_sum,
                       volatile __global unsigned int *count, int n)
{
	__local int l[BLOCK];
	__local int am_last;
	int tid = get_local_id(0);
	int a = 0;
	for (int i = get_global_id(0); i < n; i += get_global_size(0)) a += g_in[i];
	l[tid] = a;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (tid < 4) l[tid] += l[tid + 4];
	barrier(CLK_LOCAL_MEM_FENCE);
	if (tid < 2) l[tid] += l[tid + 2];
	barrier(CLK_LOCAL_MEM_FENCE);
	if (tid == 0) {
		g_part[get_group_id(0)] = l[0] + l[1];
		mem_fence(CLK_GLOBAL_MEM_FENCE);
		unsigned int ticket = atomic_inc(count);
		am_last = (ticket == get_num_groups(0) - 1);
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (am_last && tid == 0) {
		int s = 0;
		for (int b = 0; b < get_num_groups(0); b++) s += g_part[b];
		*g_sum = s;
	}
}
