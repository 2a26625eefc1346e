// Rader's algorithm for seven points: a cyclic convolution of six, generator 3, written with a switch for the small powers.
enum Power { P0 = 1, P1 = 3, P2 = 2, P3 = 6, P4 = 4, P5 = 5 };

static __device__ int power_of_3(int e)
{
  switch (((e % 6) + 6) % 6) {
    case 0: return P0;
    case 1: return P1;
    case 2: return P2;
    case 3: return P3;
    case 4: return P4;
    default: return P5;
  }
}

extern "C" __global__ void rader7(const float2 *in, float2 *out)
{
  __shared__ float2 a[8][7];
  const int t = threadIdx.x;      // 0..6
  const int f = threadIdx.y;      // transform in the block
  const int at = (blockIdx.x * blockDim.y + f) * 7;
  float2 *v = a[f];

  v[t] = in[at + t];
  __syncthreads();

  float2 sum = make_float2(0.f, 0.f);
  if (t == 0) {
    for (int j = 0; j < 7; ++j) { sum.x += v[j].x; sum.y += v[j].y; }
    out[at] = sum;
  } else {
    const int q = t - 1;          // output index is 3^-q
    sum = v[0];
    for (int p = 0; p < 6; ++p) {
      const float2 x = v[power_of_3(p)];
      float s, c;
      sincospif(-2.0f * power_of_3(p - q) / 7.0f, &s, &c);
      sum.x += x.x * c - x.y * s;
      sum.y += x.x * s + x.y * c;
    }
    out[at + power_of_3(-q)] = sum;
  }
}
