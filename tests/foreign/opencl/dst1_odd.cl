// Orthonormal DST-I of N-1 values by an FFT of their odd extension (2N points): one work-group of N items.

#define CMUL(a, b)  (float2)((a).x * (b).x - (a).y * (b).y, (a).x * (b).y + (a).y * (b).x)
#define SWAP_LOCAL(p, q)  do { local float2 *swp_ = (p); (p) = (q); (q) = swp_; } while (0)

kernel void dst1(global const float *signalIn, global float *coefOut, const int N, local float2 *work)
{
    local float2 *from = work;
    local float2 *to   = work + 2 * N;
    const int me = get_local_id(0);

    // 0, x0, x1, ..., x(N-2), 0, -x(N-2), ..., -x0
    if (me == 0) {
        from[0] = (float2)(0.0f);
        from[N] = (float2)(0.0f);
    } else {
        from[me]     = (float2)(signalIn[me - 1], 0.0f);
        from[N + me] = (float2)(-signalIn[N - 1 - me], 0.0f);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int done = 1; done < 2 * N; done += done) {
        const int lane  = me & (done - 1);
        const int place = (me << 1) - lane;
        const float ph  = -(float)lane / done;
        const float2 tw = (float2)(cospi(ph), sinpi(ph));
        const float2 p  = from[me];
        const float2 q  = CMUL(tw, from[me + N]);

        to[place]        = p + q;
        to[place + done] = p - q;
        barrier(CLK_LOCAL_MEM_FENCE);
        SWAP_LOCAL(from, to);
    }

    if (me < N - 1)
        coefOut[me] = -0.5f * sqrt(2.0f / N) * from[me + 1].y;
}

// by the definition, for comparison
kernel void dst1Slow(global const float *signalIn, global float *coefOut, const int N)
{
    const int k = get_global_id(0);
    float acc = 0.0f;
    for (int j = 0; j < N - 1; ++j)
        acc += signalIn[j] * sinpi((float)((j + 1) * (k + 1) % (2 * N)) / N);
    coefOut[k] = acc * sqrt(2.0f / N);
}
