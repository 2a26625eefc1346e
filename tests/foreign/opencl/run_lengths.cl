/* Run-length coding of a line of black and white: heads of runs, their numbers, their starts, and (colour, length). */
#define COLOUR(v) ((v) >> 7)

kernel void mark_heads(global const int *line, global int *head)
{
    int i = get_global_id(0);
    head[i] = i == 0 || COLOUR(line[i]) != COLOUR(line[i - 1]);
}

kernel void number_runs(global const int *head, global int *run, local int *sum, const int n)
{
    const int t = get_local_id(0), T = get_local_size(0);
    const int chunk = (n + T - 1) / T;
    const int from = t * chunk, to = min(from + chunk, n);

    int s = 0;
    for (int i = from; i < to; i++)
        s += head[i];
    sum[t] = s;
    barrier(CLK_LOCAL_MEM_FENCE);

    int number = -1;
    for (int q = 0; q < t; q++)
        number += sum[q];
    for (int i = from; i < to; i++) {
        number += head[i];
        run[i] = number;
    }
}

kernel void collect_starts(global const int *head, global const int *run, global int *start, global int *runs)
{
    int i = get_global_id(0), n = get_global_size(0);
    if (head[i])
        start[run[i]] = i;
    if (i == n - 1)
        *runs = run[i] + 1;
}

kernel void code(global const int *line, global const int *start, global const int *runs, global int2 *coded, const int n)
{
    int r = get_global_id(0);
    if (r < *runs) {
        int end = r + 1 < *runs ? start[r + 1] : n;
        coded[r] = (int2)(COLOUR(line[start[r]]), end - start[r]);
    }
}

kernel void code_slow(global const int *line, global int2 *coded, const int n)
{
    int r = 0, first = 0;
    for (int i = 1; i <= n; i++) {
        if (i == n || COLOUR(line[i]) != COLOUR(line[first])) {
            coded[r++] = (int2)(COLOUR(line[first]), i - first);
            first = i;
        }
    }
}
