/**
 * Reversible 5/3 wavelet (LeGall, as in JPEG 2000), some levels, one row per work-group.
 * Lifting happens in place with a stride that doubles per level; the store sorts into
 * "low band first, then details from coarse to fine".
 */
kernel void dwt53(global const short* src, global short* dst, const int len, const int levels, local int* line)
{
    const int lid = get_local_id(0);
    const int wg = get_local_size(0);
    src += get_group_id(0) * len;
    dst += get_group_id(0) * len;

    for (int i = lid; i < len; i += wg)
        line[i] = src[i];
    barrier(CLK_LOCAL_MEM_FENCE);

    int m = len;
    for (int lev = 0; lev < levels; lev++) {
        const int step = 1 << lev;

        // predict: odd samples become details
        for (int i = lid; 2 * i + 1 < m; i += wg) {
            const int left = line[2 * i * step];
            const int right = 2 * i + 2 < m ? line[(2 * i + 2) * step] : left;
            line[(2 * i + 1) * step] -= (left + right) >> 1;
        }
        barrier(CLK_LOCAL_MEM_FENCE);

        // update: even samples become averages
        for (int i = lid; 2 * i < m; i += wg) {
            const int before = i > 0 ? line[(2 * i - 1) * step] : line[step];
            const int after = 2 * i + 1 < m ? line[(2 * i + 1) * step] : before;
            line[2 * i * step] += (before + after + 2) >> 2;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        m = (m + 1) / 2;
    }

    for (int p = lid; p < len; p += wg) {
        const int zeros = min((int)popcount((p & -p) - 1), levels);
        int to;
        if (zeros == levels) {
            to = p >> levels;
        } else {
            const int low = (len + (2 << zeros) - 1) >> (zeros + 1);
            to = low + (p >> (zeros + 1));
        }
        dst[to] = line[p];
    }
}

/* the same with the filters written out, one work-item per row */
int mirrored(int i, int n)
{
    if (i < 0) i = -i;
    return i >= n ? 2 * (n - 1) - i : i;
}

kernel void dwt53_rows(global const short* src, global short* dst, const int len, const int levels)
{
    int v[64], t[64];
    const int row = get_global_id(0);
    for (int i = 0; i < len; i++)
        v[i] = src[row * len + i];
    int n = len;
    for (int lev = 0; lev < levels; lev++) {
        const int nl = n - n / 2;
        for (int i = 0; i < n / 2; i++) {
            const int sum = v[2 * i] + v[mirrored(2 * i + 2, n)];
            t[nl + i] = v[2 * i + 1] - (sum >> 1);
        }
        for (int i = 0; i < nl; i++) {
            const int a = mirrored(2 * i - 1, n) / 2, b = mirrored(2 * i + 1, n) / 2;
            t[i] = v[2 * i] + ((t[nl + a] + t[nl + b] + 2) >> 2);
        }
        for (int i = 0; i < n; i++)
            v[i] = t[i];
        n = nl;
    }
    for (int i = 0; i < len; i++)
        dst[row * len + i] = v[i];
}
