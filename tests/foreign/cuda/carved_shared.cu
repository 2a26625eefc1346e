// One extern array carved into three of several types; run-length encoding of a row: heads, their places, lengths.
extern "C" __global__ void rle(const int* __restrict__ x, int* __restrict__ symbols, int* __restrict__ lengths,
                               int* __restrict__ runs, unsigned n) {
  extern __shared__ __align__(16) unsigned char raw[];
  auto* const place = reinterpret_cast<int*>(raw);                 // n ints
  auto* const starts = reinterpret_cast<short*>(place + n);        // n + 1 shorts, padded to even
  auto* const head = reinterpret_cast<bool*>(starts + ((n + 2) & ~1u));  // n bools
  const unsigned i = threadIdx.x;
  const bool is_head = i < n && (i == 0 || x[i] % 3 != x[i - 1] % 3);
  if (i < n) head[i] = is_head, place[i] = is_head;
  __syncthreads();
  for (unsigned d = 1; d < n; d += d) {
    const int add = i < n && i >= d ? place[i - d] : 0;
    __syncthreads();
    if (i < n) place[i] += add;
    __syncthreads();
  }
  if (i < n && head[i]) starts[place[i] - 1] = static_cast<short>(i);
  if (i == n - 1) starts[place[i]] = static_cast<short>(n), *runs = place[i];
  __syncthreads();
  if (i < n && head[i]) {
    const int run = place[i] - 1;
    symbols[run] = x[starts[run]] % 3;
    lengths[run] = starts[run + 1] - starts[run];
  }
}

extern "C" __global__ void rle_back(const int* symbols, const int* lengths, const int* runs, int* y) {
  int at = 0;
  for (int r = 0; r < *runs; ++r)
    for (int k = 0; k < lengths[r]; ++k) y[at++] = symbols[r];
}

extern "C" __global__ void thirds(const int* x, int* y) { y[threadIdx.x] = x[threadIdx.x] % 3; }
