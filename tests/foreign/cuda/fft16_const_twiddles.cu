// Sixteen points, table in constant memory, several transforms per block.
__constant__ float cos16[8] = {1.0f, 0.92387953f, 0.70710678f, 0.38268343f, 0.0f, -0.38268343f, -0.70710678f, -0.92387953f};
__constant__ float sin16[8] = {0.0f, -0.38268343f, -0.70710678f, -0.92387953f, -1.0f, -0.92387953f, -0.70710678f, -0.38268343f};
__constant__ unsigned char rev16[16] = {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15};

#define FFTS_PER_BLOCK 4

#define BUTTERFLY(A, B, K)                                   \
  do {                                                       \
    float tr_ = (B).x * cos16[K] - (B).y * sin16[K];         \
    float ti_ = (B).x * sin16[K] + (B).y * cos16[K];         \
    (B).x = (A).x - tr_; (B).y = (A).y - ti_;                \
    (A).x += tr_;        (A).y += ti_;                       \
  } while (0)

__global__ void fft16(const float2 *g_in, float2 *g_out)
{
  __shared__ float2 s[FFTS_PER_BLOCK][16];
  int f = threadIdx.x / 8, t = threadIdx.x % 8;
  int base = (blockIdx.x * FFTS_PER_BLOCK + f) * 16;

  s[f][rev16[t]] = g_in[base + t];
  s[f][rev16[t + 8]] = g_in[base + t + 8];
  __syncwarp();

  BUTTERFLY(s[f][2 * t], s[f][2 * t + 1], 0);
  __syncwarp();
  { int k = t & 1, i = (t >> 1) * 4 + k;  BUTTERFLY(s[f][i], s[f][i + 2], k * 4); }
  __syncwarp();
  { int k = t & 3, i = (t >> 2) * 8 + k;  BUTTERFLY(s[f][i], s[f][i + 4], k * 2); }
  __syncwarp();
  BUTTERFLY(s[f][t], s[f][t + 8], t);
  __syncwarp();

  g_out[base + t] = s[f][t];
  g_out[base + t + 8] = s[f][t + 8];
}
