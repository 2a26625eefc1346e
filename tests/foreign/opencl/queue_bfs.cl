/* implicit graph: node i has children 2i+1 and 2i+2 (a heap), plus the edge i -> i/2 back */
__kernel void bfs(__global int *dist, __global int *queue, volatile __global int *tail, int n)
{
    const int t = get_local_id(0), T = get_local_size(0);
    for (int i = t; i < n; i += T)
        dist[i] = -1;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (t == 0) { queue[0] = 0; *tail = 1; dist[0] = 0; }
    barrier(CLK_GLOBAL_MEM_FENCE);
    int from = 0, to = 1;
    while (from < to) {
        for (int q = from + t; q < to; q += T) {
            const int node = queue[q], d = dist[node] + 1;
            for (int e = 0; e < 3; e++) {
                const int next = e < 2 ? 2 * node + 1 + e : node / 2;
                if (next < n && atomic_cmpxchg(&dist[next], -1, d) == -1)
                    queue[atomic_inc(tail)] = next;
            }
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
        from = to;
        to = *tail;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
