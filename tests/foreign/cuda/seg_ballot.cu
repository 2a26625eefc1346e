// Segmented running totals. A segment starts wherever starts[i] is not zero. Inside a warp the heads come
// from one ballot: a lane's segment begins at the highest head bit at or below it.

typedef unsigned int uint;
static const uint ALL_LANES = 0xffffffffu;

__device__ inline uint lanesUpTo(int lane) { return ALL_LANES >> (31 - lane); }

template <typename T>
__device__ T warpSegScan(T value, int firstLane, int lane)
{
  for (int delta = 1; delta < 32; delta <<= 1) {
    const T other = __shfl_up_sync(ALL_LANES, value, delta);
    if (lane - delta >= firstLane) value += other;
  }
  return value;
}

template <int THREADS>
__global__ void segScanTile(const int *data, const int *starts, int *totals, int *tileSum, int *tileHead, int n)
{
  constexpr int WARPS = THREADS / 32;
  __shared__ int warpSum[WARPS];
  __shared__ int warpHead[WARPS];    // first position of a head within the tile, THREADS if there is none

  const int lane = threadIdx.x & 31;
  const int warp = threadIdx.x >> 5;
  const int i = blockIdx.x * THREADS + threadIdx.x;

  const int mine = i < n ? data[i] : 0;
  const bool head = i < n && starts[i] != 0;
  const uint heads = __ballot_sync(ALL_LANES, head);
  const uint below = heads & lanesUpTo(lane);
  const int firstLane = below ? 31 - __clz(below) : 0;
  int total = warpSegScan(mine, firstLane, lane);

  if (lane == 31) {
    warpSum[warp] = total;
    warpHead[warp] = heads ? warp * 32 + __ffs(heads) - 1 : THREADS;
  }
  __syncthreads();

  // what the warps before leave open
  int carry = 0;
  for (int w = warp - 1; w >= 0; --w) {
    carry += warpSum[w];
    if (warpHead[w] < THREADS) break;
  }
  if (!below) total += carry;
  if (i < n) totals[i] = total;

  if (threadIdx.x == THREADS - 1) {
    tileSum[blockIdx.x] = total;
    int first = THREADS;
    for (int w = 0; w < WARPS; ++w) first = min(first, warpHead[w]);
    tileHead[blockIdx.x] = first;
  }
}

template <int THREADS>
__global__ void segScanFix(int *totals, const int *tileSum, const int *tileHead, int n)
{
  __shared__ int open;
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int b = (int)blockIdx.x - 1; b >= 0; --b) {
      sum += tileSum[b];
      if (tileHead[b] != THREADS) break;
    }
    open = sum;
  }
  __syncthreads();
  const int i = blockIdx.x * THREADS + threadIdx.x;
  if (i < n && (int)threadIdx.x < tileHead[blockIdx.x]) totals[i] += open;
}

// test data: about one head in eleven values
__global__ void markHeads(const uint *noise, int *starts, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) starts[i] = noise[i] % 11 == 3 && i % 160 < 60;
}

__global__ void segScanSerial(const int *data, const int *starts, int *totals, int n)
{
  int run = 0;
  for (int i = 0; i < n; ++i) {
    if (starts[i]) run = 0;
    run += data[i];
    totals[i] = run;
  }
}
