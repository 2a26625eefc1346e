// Turns a matrix, stored row by row, so that its columns become rows.
extern "C" __global__ void transpose(const float* x, float* y, int rows, int cols) {
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  int row = g / cols, col = g % cols;
  int to = col * rows + row;
  y[to] = x[g];
}
