// 'same' convolution: every thread makes PER neighbouring outputs from a window that slides through registers.
constexpr int TAPS = 5;
constexpr int PER = 4;
constexpr int R = TAPS / 2;

__global__ void conv_window(const float *x, const float *h, float *y, int n)
{
  const int start = (blockIdx.x * blockDim.x + threadIdx.x) * PER;
  if (start >= n) return;

  float taps[TAPS];
  for (int k = 0; k < TAPS; k++) taps[k] = h[k];

  float win[TAPS];
  for (int k = 0; k < TAPS - 1; k++) {
    const int at = start - R + k;
    win[k] = at >= 0 && at < n ? x[at] : 0.f;
  }

  for (int o = 0; o < PER && start + o < n; o++) {
    const int next = start + o + R;
    win[TAPS - 1] = next < n ? x[next] : 0.f;
    float acc = 0.f;
    for (int k = 0; k < TAPS; k++) acc += win[k] * taps[TAPS - 1 - k];
    y[start + o] = acc;
    for (int k = 0; k < TAPS - 1; k++) win[k] = win[k + 1];
  }
}
