// Dynamic time warping with a Sakoe-Chiba band. One block aligns one pair of series; threads walk along an
// anti-diagonal of the cost matrix, and only three diagonals are alive at a time.
// cost(i, j) = |a[i] - b[j]| + min(cost(i-1, j), cost(i, j-1), cost(i-1, j-1))

typedef double real;
#define INF 1e300

class Diagonals
{
public:
  __device__ Diagonals(real *pool, int len) : pool_(pool), len_(len) {}
  // row i of diagonal d; row -1 is the border
  __device__ real &at(int d, int i) { return pool_[(d + 3) % 3 * (len_ + 1) + i + 1]; }

private:
  real *pool_;
  int len_;
};

__device__ real cheapest(real p, real q, real r) { return fmin(p, fmin(q, r)); }

__global__ void dtwBand(const real *seriesA, const real *seriesB, real *distance, int len, int band)
{
  extern __shared__ real pool[];
  Diagonals diag(pool, len);
  const real *a = seriesA + (long)blockIdx.x * len;
  const real *b = seriesB + (long)blockIdx.x * len;

  for (int k = threadIdx.x; k < 3 * (len + 1); k += blockDim.x)
    pool[k] = INF;
  __syncthreads();

  for (int d = 0; d <= 2 * (len - 1); ++d) {
    const int from = max(0, d - len + 1);
    const int to = min(d, len - 1);
    for (int i = from + threadIdx.x; i <= to; i += blockDim.x) {
      const int j = d - i;
      real c = INF;
      if (abs(i - j) <= band) {
        const real up   = i > 0 ? diag.at(d - 1, i - 1) : INF;
        const real left = j > 0 ? diag.at(d - 1, i) : INF;
        const real both = i > 0 && j > 0 ? diag.at(d - 2, i - 1) : INF;
        const real best = d == 0 ? 0 : cheapest(up, left, both);
        c = best + fabs(a[i] - b[j]);
      }
      diag.at(d, i) = c;
    }
    __syncthreads();
  }

  if (threadIdx.x == 0)
    distance[blockIdx.x] = diag.at(2 * (len - 1), len - 1);
}

// b is a, late by a few samples and somewhat louder
__global__ void shiftSeries(const real *a, real *b, int len, int late, real gain)
{
  const int i = threadIdx.x, row = blockIdx.x * len;
  b[row + i] = gain * a[row + max(i - late, 0)];
}

// the whole matrix, row by row, one thread a pair
__global__ void dtwMatrix(const real *seriesA, const real *seriesB, real *matrix, real *distance, int len, int band)
{
  const real *a = seriesA + threadIdx.x * len, *b = seriesB + threadIdx.x * len;
  real *m = matrix + threadIdx.x * len * len;
  for (int i = 0; i < len; ++i)
    for (int j = 0; j < len; ++j) {
      real best = i + j == 0 ? 0.0 : INF;
      if (i > 0) best = fmin(best, m[(i - 1) * len + j]);
      if (j > 0) best = fmin(best, m[i * len + j - 1]);
      if (i > 0 && j > 0) best = fmin(best, m[(i - 1) * len + j - 1]);
      m[i * len + j] = abs(i - j) > band ? INF : best + fabs(a[i] - b[j]);
    }
  distance[threadIdx.x] = m[len * len - 1];
}
