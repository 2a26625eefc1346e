// Work-efficient exclusive scan (after GPU Gems 3, chapter 39), any length:
// scan every block, scan the sums of the blocks, add them.

#define LOG_NUM_BANKS 4
#define CONFLICT_FREE_OFFSET(n) ((n) >> LOG_NUM_BANKS)

__kernel void prescan(__global const int *g_idata, __global int *g_odata, __global int *g_sums,
                      __local int *temp, int n)
{
	int thid = get_local_id(0);
	int blk  = 2 * get_local_size(0);
	int first = get_group_id(0) * blk;
	int offset = 1;

	int ai = thid;
	int bi = thid + blk / 2;
	int bankOffsetA = CONFLICT_FREE_OFFSET(ai);
	int bankOffsetB = CONFLICT_FREE_OFFSET(bi);
	temp[ai + bankOffsetA] = (first + ai < n) ? g_idata[first + ai] : 0;
	temp[bi + bankOffsetB] = (first + bi < n) ? g_idata[first + bi] : 0;

	for (int d = blk >> 1; d > 0; d >>= 1)  // build sum in place up the tree
	{
		barrier(CLK_LOCAL_MEM_FENCE);
		if (thid < d)
		{
			int ai = offset * (2 * thid + 1) - 1;
			int bi = offset * (2 * thid + 2) - 1;
			ai += CONFLICT_FREE_OFFSET(ai);
			bi += CONFLICT_FREE_OFFSET(bi);
			temp[bi] += temp[ai];
		}
		offset *= 2;
	}

	if (thid == 0)
	{
		int last = blk - 1 + CONFLICT_FREE_OFFSET(blk - 1);
		if (g_sums)
			g_sums[get_group_id(0)] = temp[last];
		temp[last] = 0;  // clear the last element
	}

	for (int d = 1; d < blk; d *= 2)  // traverse down tree & build scan
	{
		offset >>= 1;
		barrier(CLK_LOCAL_MEM_FENCE);
		if (thid < d)
		{
			int ai = offset * (2 * thid + 1) - 1;
			int bi = offset * (2 * thid + 2) - 1;
			ai += CONFLICT_FREE_OFFSET(ai);
			bi += CONFLICT_FREE_OFFSET(bi);
			int t = temp[ai];
			temp[ai] = temp[bi];
			temp[bi] += t;
		}
	}
	barrier(CLK_LOCAL_MEM_FENCE);

	if (first + ai < n)
		g_odata[first + ai] = temp[ai + bankOffsetA];
	if (first + bi < n)
		g_odata[first + bi] = temp[bi + bankOffsetB];
}

__kernel void uniformAdd(__global int *g_data, __global const int *uniforms, int n)
{
	__local int uni;
	if (get_local_id(0) == 0)
		uni = uniforms[get_group_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);

	int address = get_group_id(0) * 2 * get_local_size(0) + get_local_id(0);
	if (address < n)
		g_data[address] += uni;
	address += get_local_size(0);
	if (address < n)
		g_data[address] += uni;
}
