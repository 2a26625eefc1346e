// Gallery: a segment's end counted in. Row pointers name the first element of each segment and, by the next one, the first that
// is not in it: the loop runs while j is below the end, not up to it.

// A thread a segment.
extern "C" __global__ void segment_sums(const int *x, const int *rows, int *sums)
{
  int s = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
#ifdef RIGHT
  for (int j = rows[s]; j < rows[s + 1]; j++)
#else
  for (int j = rows[s]; j <= rows[s + 1]; j++)
#endif
    sum += x[j];
  sums[s] = sum;
}
