/*
 * LSD radix sort of (key, payload) pairs with signed 16-bit keys, 4 bits a pass.
 * Three launches a pass: count digits per block, scan the counts, scatter.
 * Counts are stored digit-major, so one exclusive scan gives every block's start for every digit.
 */
constexpr int BITS = 4;
constexpr int DIGITS = 1 << BITS;
constexpr int THREADS = 16;
constexpr int PER_THREAD = 4;
constexpr int CHUNK = THREADS * PER_THREAD;

struct Pair { int key, payload; };

__device__ inline int digitOf(int key, int shift)
{
  const unsigned ordered = static_cast<unsigned short>(key) ^ 0x8000u;   // negative keys first
  return (ordered >> shift) & (DIGITS - 1);
}

__global__ void makePairs(Pair* pairs, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned h = i * 2654435761u;
  h ^= h >> 15;
  pairs[i].key = static_cast<int>(h % 61) * 601 - 19000;    // many duplicates
  pairs[i].payload = i;
}

__global__ void countDigits(const Pair* in, int* counts, int n, int shift)
{
  __shared__ int bins[DIGITS];
  const int t = threadIdx.x;
  if (t < DIGITS) bins[t] = 0;
  __syncthreads();

  for (int k = 0; k < PER_THREAD; ++k) {
    const int i = blockIdx.x * CHUNK + k * THREADS + t;       // order is of no importance here
    if (i < n) atomicAdd(&bins[digitOf(in[i].key, shift)], 1);
  }
  __syncthreads();

  if (t < DIGITS) counts[t * gridDim.x + blockIdx.x] = bins[t];
}

// one block, Hillis-Steele over `total` counts
__global__ void scanCounts(int* counts, int total)
{
  extern __shared__ int buf[];
  const int t = threadIdx.x;
  buf[t] = t > 0 ? counts[t - 1] : 0;
  __syncthreads();
  for (int d = 1; d < total; d *= 2) {
    int sum = buf[t];
    if (t >= d) sum += buf[t - d];
    __syncthreads();
    buf[t] = sum;
    __syncthreads();
  }
  counts[t] = buf[t];
}

__global__ void scatterPairs(const Pair* in, Pair* out, const int* starts, int n, int shift)
{
  __shared__ int place[DIGITS][THREADS];
  const int t = threadIdx.x;
  const int first = blockIdx.x * CHUNK + t * PER_THREAD;     // consecutive pairs: the sort has to be stable
  const int last = min(first + PER_THREAD, n);

  for (int d = 0; d < DIGITS; ++d) place[d][t] = 0;
  for (int i = first; i < last; ++i) ++place[digitOf(in[i].key, shift)][t];
  __syncthreads();

  // thread t looks after digit t
  int running = starts[t * gridDim.x + blockIdx.x];
  for (int other = 0; other < THREADS; ++other) {
    const int c = place[t][other];
    place[t][other] = running;
    running += c;
  }
  __syncthreads();

  for (int i = first; i < last; ++i) {
    const Pair p = in[i];
    out[place[digitOf(p.key, shift)][t]++] = p;
  }
}

// how many come before me?
__global__ void rankSort(const Pair* in, Pair* out, int n)
{
  const int me = blockIdx.x * blockDim.x + threadIdx.x;
  if (me >= n) return;
  int rank = 0;
  for (int i = 0; i < n; ++i)
    rank += in[i].key < in[me].key || (in[i].key == in[me].key && i < me);
  out[rank] = in[me];
}
