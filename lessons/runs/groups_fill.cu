// Adds two lists, in groups: each thread works out its own number from that of its block and its own in there.
extern "C" __global__ void add(const float* a, const float* b, float* c) {
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  c[g] = a[g] + b[g];
}
