// RNA secondary structure after Nussinov: most base pairs without crossings.
// T[i][j] for the piece i..j, filled diagonal by diagonal; four lanes share a cell and split
// the bifurcations between them.
//
//    A = 0, C = 1, G = 2, U = 3

#define LANES 4
#define LOOP 3                        // fewest unpaired bases in a hairpin

__device__ int bonds(int p, int q) {
    return p + q == 3 ||              // A-U, C-G
           p + q == 5;                // G-U
}

__global__ void nussinov(const unsigned char *bases, int *T, int n) {
    const int i = threadIdx.x / LANES;
    const int lane = threadIdx.x % LANES;

    for (int d = 1; d < n; ++d) {
        const int j = i + d;
        const bool active = j < n;
        int best = 0;

        if (active) {
            if (lane == 0) best = T[(i + 1) * n + j];
            if (lane == 1) best = T[i * n + j - 1];
            if (lane == 2 && d > LOOP && bonds(bases[i] & 3, bases[j] & 3))
                best = T[(i + 1) * n + j - 1] + 1;
            for (int k = i + 1 + lane; k < j - 1; k += LANES)
                best = max(best, T[i * n + k] + T[(k + 1) * n + j]);
        }
        for (int o = LANES / 2; o > 0; o >>= 1)
            best = max(best, __shfl_xor_sync(0xffffffffu, best, o, LANES));

        if (active && lane == 0) T[i * n + j] = best;
        __syncthreads();
    }
}

// Row by row from below: base i stays alone, or pairs with some k.
__global__ void nussinov_serial(const unsigned char *bases, int *N, int n) {
    for (int i = n - 2; i >= 0; --i)
        for (int j = i + 1; j < n; ++j) {
            int v = N[(i + 1) * n + j];
            for (int k = i + 4; k <= j; ++k) {
                const int a = bases[i] % 4, b = bases[k] % 4;
                const bool pair = (a == 0 && b == 3) || (a == 3 && (b == 0 || b == 2)) ||
                                  (a == 1 && b == 2) || (a == 2 && (b == 1 || b == 3));
                if (!pair) continue;
                const int outer = k + 1 <= j ? N[(k + 1) * n + j] : 0;
                v = max(v, 1 + N[(i + 1) * n + k - 1] + outer);
            }
            N[i * n + j] = v;
        }
}
