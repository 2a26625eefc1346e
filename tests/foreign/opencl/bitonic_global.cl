/* args: run = length of the runs being made, dist = distance compared */
__kernel void layer(__global int *v, const int run, const int dist)
{
	int t = get_global_id(0);
	int lo = (t / dist) * dist * 2 + t % dist;
	int hi = lo + dist;
	int p = v[lo], q = v[hi];
	int down = (lo / run) & 1;
	int a = select(min(p, q), max(p, q), down ? -1 : 0);
	v[hi] = p + q - a;
	v[lo] = a;
}
