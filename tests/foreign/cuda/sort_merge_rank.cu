// Merge sort by ranks: in each round every element finds its place by binary search in the sister run.
struct Run { const int *first; int length; };

static __device__ int lower_bound(const Run &r, int v)
{
  int lo = 0, hi = r.length;
  while (lo < hi) { int mid = (lo + hi) / 2; if (r.first[mid] < v) lo = mid + 1; else hi = mid; }
  return lo;
}
static __device__ int upper_bound(const Run &r, int v)
{
  int lo = 0, hi = r.length;
  while (lo < hi) { int mid = (lo + hi) >> 1; if (!(v < r.first[mid])) lo = mid + 1; else hi = mid; }
  return lo;
}

__global__ void merge_round(const int *__restrict__ from, int *__restrict__ to, int n, int width)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int start = i / (2 * width) * (2 * width);
  const bool left = i - start < width;
  Run sister;
  if (left) {
    sister.first = from + start + width;
    sister.length = max(0, min(width, n - start - width));
  } else {
    sister.first = from + start;
    sister.length = width;
  }
  const int v = from[i];
  const int rank = left ? lower_bound(sister, v) + (i - start) : upper_bound(sister, v) + (i - start - width);
  to[start + rank] = v;
}
