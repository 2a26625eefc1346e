// Gallery: a ticket drawn by a plain addition. Items that keep their value take the next free place; two that read the counter
// at the same time write to the same place.

// N threads: those above the threshold, in any order.
extern "C" __global__ void keep(const int *x, int *kept, int *count, int threshold)
{
  int v = x[blockIdx.x * blockDim.x + threadIdx.x];
  if (v > threshold) {
#ifdef RIGHT
    int place = atomicAdd(&count[0], 1);
#else
    int place = count[0];
    count[0] = place + 1;
#endif
    kept[place] = v;
  }
}
