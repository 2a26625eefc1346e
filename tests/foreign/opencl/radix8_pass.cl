// One Stockham pass of radix 8 per launch.
// x -> y, p is the length of the sub-transforms that are already done (1, 8, 64, ...).
// Global size: n/8.

#define SQRT1_2 0.70710678118654752f

float2 mul(float2 a, float2 b) { return (float2)(a.x*b.x - a.y*b.y, fma(a.x, b.y, a.y*b.x)); }

// multiplication by exp(-i*pi*q/4)
float2 mulP0(float2 a) { return a; }
float2 mulP1(float2 a) { return SQRT1_2 * (float2)(a.x + a.y, a.y - a.x); }
float2 mulP2(float2 a) { return (float2)(a.y, -a.x); }
float2 mulP3(float2 a) { return SQRT1_2 * (float2)(a.y - a.x, -a.x - a.y); }

#define BUTTERFLY(i, j, turn) { float2 d = u[i] - u[j]; u[i] += u[j]; u[j] = turn(d); }

__kernel void fftRadix8(__global const float2* x, __global float2* y, int p)
{
  int t = get_global_size(0);
  int i = get_global_id(0);
  int k = i & (p - 1);               // index inside the sub-transform
  int dst = ((i - k) << 3) + k;

  // load, twiddled by w^0 ... w^7
  float2 u[8];
  float alpha = -2.0f * M_PI_F * k / (8 * p);
  float2 w = (float2)(cos(alpha), sin(alpha));
  float2 wr = w;
  u[0] = x[i];
  for (int r = 1; r < 8; r++) {
    u[r] = mul(x[i + r*t], wr);
    wr = mul(wr, w);
  }

  // DFT8, decimation in frequency: results come bit-reversed
  BUTTERFLY(0, 4, mulP0);
  BUTTERFLY(1, 5, mulP1);
  BUTTERFLY(2, 6, mulP2);
  BUTTERFLY(3, 7, mulP3);

  BUTTERFLY(0, 2, mulP0);
  BUTTERFLY(1, 3, mulP2);
  BUTTERFLY(4, 6, mulP0);
  BUTTERFLY(5, 7, mulP2);

  BUTTERFLY(0, 1, mulP0);
  BUTTERFLY(2, 3, mulP0);
  BUTTERFLY(4, 5, mulP0);
  BUTTERFLY(6, 7, mulP0);

  y[dst]       = u[0];
  y[dst + p]   = u[4];
  y[dst + 2*p] = u[2];
  y[dst + 3*p] = u[6];
  y[dst + 4*p] = u[1];
  y[dst + 5*p] = u[5];
  y[dst + 6*p] = u[3];
  y[dst + 7*p] = u[7];
}
