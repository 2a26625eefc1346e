/* rfft: 2m reals as m complex numbers z[j] = x[2j] + i x[2j+1], FFT of m points, then untangled */

#define PI 3.14159265358979323846f

__device__ float2 expi(float a) { return make_float2(cosf(a), sinf(a)); }

__global__ void half_fft(const float *x, float2 *Z, int m)
{
  extern __shared__ float2 buf[];
  float2 *a = buf, *b = buf + m, *tmp;
  int t = threadIdx.x, h = m / 2, l, j, o;
  const float2 *z = (const float2 *)x + blockIdx.x * m;

  a[t] = z[t];
  a[t + h] = z[t + h];
  __syncthreads();

  for (l = 1; l < m; l *= 2) {
    float2 w, p, q, r;
    j = t % l;
    o = 2 * (t - j) + j;
    w = expi(-PI * j / l);
    p = a[t];
    q = a[t + h];
    r.x = w.x * q.x - w.y * q.y;
    r.y = w.x * q.y + w.y * q.x;
    b[o].x = p.x + r.x;
    b[o].y = p.y + r.y;
    b[o + l].x = p.x - r.x;
    b[o + l].y = p.y - r.y;
    tmp = a; a = b; b = tmp;
    __syncthreads();
  }

  Z += blockIdx.x * m;
  Z[t] = a[t];
  Z[t + h] = a[t + h];
}

/* X[k] = E[k] + w^k O[k], k = 0 .. m;  E and O are the spectra of the even and the odd samples */
__global__ void untangle(const float2 *Z, float2 *X, int m)
{
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  float2 p, q, e, o, w;

  if (k > m) return;
  Z += blockIdx.y * m;
  X += blockIdx.y * (m + 1);

  p = Z[k % m];
  q = Z[(m - k) % m];
  q.y = -q.y;
  e.x = 0.5f * (p.x + q.x);
  e.y = 0.5f * (p.y + q.y);
  o.x = 0.5f * (p.y - q.y);
  o.y = -0.5f * (p.x - q.x);
  w = expi(-PI * k / m);
  X[k].x = e.x + w.x * o.x - w.y * o.y;
  X[k].y = e.y + w.x * o.y + w.y * o.x;
}
