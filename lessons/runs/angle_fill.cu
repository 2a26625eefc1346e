// Cosines of twiddles far down a long transform: w_n^(j k) for the last k. A float has 24 bits for the number of turns.
extern "C" __global__ void cosines(float* y, int n, int j, int first) {
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  int k = first + g;
  float turns = (float)(j * k % n) / n;
  y[g] = cosf(6.2831853f * turns);
}
