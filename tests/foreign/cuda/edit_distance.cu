// Longest common subsequence by anti-diagonals: three of them turn round in shared memory, one thread a letter.
template <typename T>
__device__ T longer(T a, T b) { return a > b ? a : b; }

__global__ void lcs(const int *s, const int *t, int *best, int n)
{
    extern __shared__ int diagonal[];
    const int w = n + 1;
    int i = threadIdx.x + 1;

    for (int d = 0; d < 3; ++d) diagonal[d * w + i] = 0;
    if (i == 1) diagonal[0] = diagonal[w] = diagonal[2 * w] = 0;
    __syncthreads();

    for (int k = 2; k <= 2 * n; ++k) {
        int *now = diagonal + k % 3 * w;
        const int *one = diagonal + (k + 2) % 3 * w;
        const int *two = diagonal + (k + 1) % 3 * w;
        int j = k - i;
        if (j >= 1 && j <= n) {
            int v;
            if ((s[i - 1] & 7) == (t[j - 1] & 7))
                v = two[i - 1] + 1;
            else
                v = longer(one[i - 1], one[i]);
            now[i] = v;
            if (j == n) best[i - 1] = v;
        }
        __syncthreads();
    }
}

// One thread, the whole table.
__global__ void lcs_table(const int *s, const int *t, int *want, int *table, int n)
{
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j) {
            int v = 0;
            if (i > 0 && j > 0)
                v = (s[i - 1] & 7) == (t[j - 1] & 7)
                        ? table[(i - 1) * (n + 1) + j - 1] + 1
                        : longer(table[(i - 1) * (n + 1) + j], table[i * (n + 1) + j - 1]);
            table[i * (n + 1) + j] = v;
            if (i > 0 && j == n) want[i - 1] = v;
        }
}
