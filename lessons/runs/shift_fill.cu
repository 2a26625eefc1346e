// Moves a list two places to the left; the first two come round to the end.
extern "C" __global__ void shift(const float* x, float* y, int n) {
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  int from = (g + 2) % n;
  y[g] = x[from];
}
