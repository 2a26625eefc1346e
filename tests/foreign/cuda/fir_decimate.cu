// Polyphase decimator: KEEP threads of a row of lanes share one output, each sums the taps of its phase, and the row adds up.
constexpr int KEEP = 4, TAPS = 8;
__constant__ float phase_taps[KEEP][TAPS / KEEP] = {{0.04f, 0.21f}, {0.09f, 0.17f}, {0.16f, 0.1f}, {0.19f, 0.03f}};

__global__ void polyphase(const float *__restrict__ in, float *__restrict__ out, int outputs)
{
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int o = thread / KEEP, phase = thread % KEEP;
  float sum = 0.0f;
#pragma unroll
  for (int m = 0; m < TAPS / KEEP; ++m) {
    const int at = (o - m) * KEEP - phase;
    if (at >= 0 && o < outputs) sum += phase_taps[phase][m] * in[at];
  }
  for (int step = KEEP / 2; step > 0; step >>= 1)
    sum += __shfl_down_sync(0xffffffffu, sum, step, KEEP);
  if (phase == 0 && o < outputs) out[o] = sum;
}

__global__ void convolve_and_drop(const float *in, float *out)
{
  const int o = threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < TAPS; ++k)
    if (o * KEEP >= k) sum += phase_taps[k % KEEP][k / KEEP] * in[o * KEEP - k];
  out[o] = sum;
}
