// TFD a base partagee (split radix), d'apres le programme Fortran de Sorensen, Heideman et Burrus (1986),
// frequences entrelacees, un bloc par transformee. Parties reelles et imaginaires dans deux tableaux.

#define NMAX 256
#define DEUX_PI 6.283185307179586f

/* Un bloc de rang q est une sous-transformee de cet etage quand q finit par un nombre pair de bits a 1. */
__device__ static bool est_actif(int q)
{
  int uns = __ffs(~q) - 1;
  return (uns & 1) == 0;
}

/* Papillon en L : la moitie haute reste, les deux quarts du bas sont tournes par w^j et w^3j. */
__device__ static void papillon_L(float *x, float *y, int i0, int n4, float a)
{
  const int i1 = i0 + n4;
  const int i2 = i1 + n4;
  const int i3 = i2 + n4;
  float cc1, ss1, cc3, ss3;
  sincosf(a, &ss1, &cc1);
  sincosf(3.0f * a, &ss3, &cc3);

  float r1 = x[i0] - x[i2];
  x[i0] += x[i2];
  float r2 = x[i1] - x[i3];
  x[i1] += x[i3];
  float s1 = y[i0] - y[i2];
  y[i0] += y[i2];
  float s2 = y[i1] - y[i3];
  y[i1] += y[i3];

  const float s3 = r1 - s2;
  r1 += s2;
  s2 = r2 - s1;
  r2 += s1;
  x[i2] = r1 * cc1 - s2 * ss1;
  y[i2] = -s2 * cc1 - r1 * ss1;
  x[i3] = s3 * cc3 + r2 * ss3;
  y[i3] = r2 * cc3 - s3 * ss3;
}

extern "C" __global__ void srfft(const float *xr, const float *xi, float *Xr, float *Xi, int m)
{
  __shared__ float x[NMAX], y[NMAX];
  const int n = 1 << m;
  const int base = blockIdx.x * n;

  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    x[i] = xr[base + i];
    y[i] = xi[base + i];
  }
  __syncthreads();

  for (int n2 = n; n2 > 2; n2 >>= 1) {
    const int n4 = n2 / 4;
    const float e = DEUX_PI / n2;
    for (int t = threadIdx.x; t < n / 4; t += blockDim.x) {
      const int q = t / n4;
      const int j = t - q * n4;
      if (est_actif(q)) papillon_L(x, y, q * n2 + j, n4, e * j);
    }
    __syncthreads();
  }

  /* papillons de longueur 2 */
  for (int q = threadIdx.x; q < n / 2; q += blockDim.x) {
    if (!est_actif(q)) continue;
    const float r = x[2 * q], s = y[2 * q];
    x[2 * q] = r + x[2 * q + 1];
    y[2 * q] = s + y[2 * q + 1];
    x[2 * q + 1] = r - x[2 * q + 1];
    y[2 * q + 1] = s - y[2 * q + 1];
  }
  __syncthreads();

  for (int k = threadIdx.x; k < n; k += blockDim.x) {
    const int r = __brev(k) >> (32 - m);
    Xr[base + k] = x[r];
    Xi[base + k] = y[r];
  }
}
