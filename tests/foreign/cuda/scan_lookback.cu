// Single-pass scan with decoupled look-back (Merrill and Garland). Tiles are taken in order from a ticket.
enum Status : int { EMPTY = 0, PARTIAL = 1, COMPLETE = 2 };

struct TileState {
  int *flag;
  int *aggregate;
  int *prefix;
};

__device__ unsigned ticket = 0;

__device__ int look_back(TileState s, int tile)
{
  int sum = 0;
  for (int p = tile - 1; p >= 0; --p) {
    int f;
    do {
      f = *(volatile int *)(s.flag + p);
    } while (f == EMPTY);
    __threadfence();
    if (f == COMPLETE) {
      sum += *(volatile int *)(s.prefix + p);
      break;
    }
    sum += *(volatile int *)(s.aggregate + p);
  }
  return sum;
}

extern "C" __global__ void scan_single_pass(const int *in, int *out, int n, int *flag, int *aggregate, int *prefix)
{
  __shared__ int tile;
  __shared__ int before;
  __shared__ int s[64];
  const int t = threadIdx.x;
  TileState st = {flag, aggregate, prefix};

  if (t == 0) tile = atomicAdd(&ticket, 1u);
  __syncthreads();
  const int g = tile * 64 + t;

  s[t] = g < n ? in[g] : 0;
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    int x = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += x;
    __syncthreads();
  }

  if (t == 63) {
    const int total = s[63];
    if (tile == 0) {
      st.prefix[0] = total;
      __threadfence();
      atomicExch(&st.flag[0], COMPLETE);
      before = 0;
    } else {
      st.aggregate[tile] = total;
      __threadfence();
      atomicExch(&st.flag[tile], PARTIAL);
      const int b = look_back(st, tile);
      st.prefix[tile] = b + total;
      __threadfence();
      atomicExch(&st.flag[tile], COMPLETE);
      before = b;
    }
  }
  __syncthreads();

  if (g < n) out[g] = before + s[t];
}
