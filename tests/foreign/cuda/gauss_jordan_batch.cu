// Batched inverse of small matrices, Gauss-Jordan with partial pivoting on [A | I].
// One block per matrix, thread c owns column c of the 2n columns.

template<typename Real, int MAXN>
struct Work {
  Real aug[MAXN][2 * MAXN];
  Real factor[MAXN];
  int pivot;
};

template<typename Real, int MAXN>
__global__ void invert_batch(const Real *__restrict__ A, Real *__restrict__ Ainv, int n) {
  __shared__ Work<Real, MAXN> s;
  const int c = threadIdx.x;
  A += blockIdx.x * n * n;
  Ainv += blockIdx.x * n * n;

  for (int r = 0; r < n; r++)
    s.aug[r][c] = c < n ? A[r * n + c] : Real(c - n == r);
  __syncthreads();

  for (int k = 0; k < n; k++) {
    if (c == 0) {
      int best = k;
      for (int r = k + 1; r < n; r++)
        if (fabs(s.aug[r][k]) > fabs(s.aug[best][k])) best = r;
      s.pivot = best;
    }
    __syncthreads();

    // every thread swaps its own column
    const Real tmp = s.aug[k][c];
    s.aug[k][c] = s.aug[s.pivot][c];
    s.aug[s.pivot][c] = tmp;
    __syncthreads();

    if (c < n) s.factor[c] = s.aug[c][k];
    __syncthreads();

    const Real scaled = s.aug[k][c] / s.factor[k];
    for (int r = 0; r < n; r++)
      s.aug[r][c] = r == k ? scaled : s.aug[r][c] - s.factor[r] * scaled;
    __syncthreads();
  }

  if (c >= n)
    for (int r = 0; r < n; r++)
      Ainv[r * n + c - n] = s.aug[r][c];
}

// Faddeev-LeVerrier: M_k = A M_(k-1) + c_(n-k+1) I,  c_(n-k) = -tr(A M_k)/k,  inverse = -M_n / c_0
__global__ void invert_slowly(const double *A, double *Ainv, int n) {
  double M[64], P[64];
  A += threadIdx.x * n * n;
  Ainv += threadIdx.x * n * n;
  for (int i = 0; i < n * n; i++) M[i] = i % (n + 1) == 0;
  double coef = 1;
  for (int k = 1; k <= n; k++) {
    double trace = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double dot = 0;
        for (int l = 0; l < n; l++) dot += A[i * n + l] * M[l * n + j];
        P[i * n + j] = dot;
        if (i == j) trace += dot;
      }
    coef = -trace / k;
    if (k == n) break;
    for (int i = 0; i < n * n; i++) M[i] = P[i] + (i % (n + 1) == 0 ? coef : 0);
  }
  for (int i = 0; i < n * n; i++) Ainv[i] = -M[i] / coef;
}
