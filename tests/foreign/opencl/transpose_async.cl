#define ROWS 4
/* no work-item touches an element itself: both ways are asynchronous copies of the group */
__kernel void transpose_async(__global const float *a, __global float *b, __local float *rows, int h, int w)
{
    const int first = get_group_id(0) * ROWS;          /* a group takes ROWS rows */
    event_t in = async_work_group_copy(rows, a + first * w, (size_t)ROWS * w, 0);
    wait_group_events(1, &in);

    event_t out = async_work_group_strided_copy(b + first, rows, (size_t)w, (size_t)h, 0);
    for (int r = 1; r < ROWS; r++)
        out = async_work_group_strided_copy(b + first + r, rows + r * w, (size_t)w, (size_t)h, out);
    wait_group_events(1, &out);
}
