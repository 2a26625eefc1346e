// Low pass and every third sample: y[o] = sum over k of taps[k] x[3 o - k], the inputs of a group through local memory.
#define KEEP 3
#define TAPS 7
__constant float taps[TAPS] = { 0.02f, 0.11f, 0.22f, 0.31f, 0.19f, 0.1f, 0.05f };

kernel void decimate(global const float *restrict x, global float *restrict y, const uint inputs, const uint outputs,
                     local float *piece)
{
    const uint lid = get_local_id(0), group = get_local_size(0);
    const uint span = (group - 1) * KEEP + TAPS;
    const int first = (int)(get_group_id(0) * group * KEEP) - (TAPS - 1);

    for (uint k = lid; k < span; k += group) {
        const int at = first + (int)k;
        piece[k] = at >= 0 && at < (int)inputs ? x[at] : 0.0f;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    float sum = 0.0f;
    for (uint k = 0; k < TAPS; k++)
        sum += taps[k] * piece[lid * KEEP + TAPS - 1 - k];
    const uint o = get_global_id(0);
    if (o < outputs)
        y[o] = sum;
}

kernel void decimate_plainly(global const float *x, global float *y, const uint inputs)
{
    const int o = get_global_id(0);
    float sum = 0.0f;
    for (int k = 0; k < TAPS; k++)
        if (KEEP * o - k >= 0)
            sum += taps[k] * x[KEEP * o - k];
    y[o] = sum;
}
