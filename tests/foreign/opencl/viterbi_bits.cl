// Viterbi decoder, K = 3 (7,5): four states, an item a state, one group a block. Survivors are bits of a uchar a step, set by
// atomic_or on the word that holds four steps; traced back by item 0.
constant uchar parity_of[8] = {0, 1, 1, 0, 1, 0, 0, 1};

#define OUT(state, bit) ((parity_of[((bit) << 2 | (state)) & 7] << 1) | parity_of[((bit) << 2 | (state)) & 5])

kernel void encode(global const int *x, global uchar *sent, global uchar *bits, const int n)
{
    // one item: a shift register cannot be shared
    uint reg = 0;
    for (int i = 0; i != n; ++i) {
        const uchar bit = (uchar)(x[i] & 1);
        bits[i] = bit;
        sent[i] = OUT(reg, bit);
        reg = (reg >> 1) | (bit << 1);
    }
    sent[n / 2] ^= 2;   // an error on the way
}

kernel void viterbi(global const uchar *got, global uchar *bits, const int n, local uint *restrict survivors)
{
    local int metric[2][4];
    const int to = get_local_id(0);
    metric[0][to] = to ? 1000 : 0;
    for (int w = to; w * 8 < n; w += 4) survivors[w] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < n; ++i) {
        const local int *now = metric[i & 1];
        const uint bit = to >> 1, f0 = (to << 1) & 3, f1 = f0 | 1;   // the two states before
        const int m0 = now[f0] + popcount((uint)(got[i] ^ OUT(f0, bit)));
        const int m1 = now[f1] + popcount((uint)(got[i] ^ OUT(f1, bit)));
        metric[~i & 1][to] = min(m0, m1);
        if (m1 < m0) atomic_or(survivors + i / 8, 1u << (i % 8 * 4 + to));
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (to) return;
    int best = 0;
    for (int s = 1; s < 4; ++s)
        if (metric[n & 1][s] < metric[n & 1][best]) best = s;
    for (int i = n; i-- > 0;) {
        bits[i] = best >> 1;
        best = ((best << 1) & 3) | (survivors[i / 8] >> (i % 8 * 4 + best) & 1);
    }
}
