// Each warp sorts 64 (key, value) pairs, two a lane: a bitonic network of shuffles. Element e is slot e & 1 of lane e / 2.
struct Pair {
  float key, value;
};

__device__ __forceinline__ Pair shuffle_xor(const Pair &p, int mask)
{
  return Pair{__shfl_xor_sync(0xffffffffu, p.key, mask), __shfl_xor_sync(0xffffffffu, p.value, mask)};
}

__device__ __forceinline__ void order(Pair &lo, Pair &hi, bool up)
{
  if ((lo.key > hi.key) == up) {
    const Pair tmp = lo;
    lo = hi;
    hi = tmp;
  }
}

__device__ __forceinline__ Pair choose(const Pair &mine, const Pair &theirs, bool smaller)
{
  const bool take = smaller ? theirs.key < mine.key : theirs.key > mine.key;
  return take ? theirs : mine;
}

extern "C" __global__ void sort_rows(const float2 *in, float2 *out, int rows)
{
  const int lane = threadIdx.x & 31;
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  if (row >= rows)
    return;

  const float4 both = reinterpret_cast<const float4 *>(in)[row * 32 + lane];
  Pair p[2] = {{both.x, both.y}, {both.z, both.w}};

  for (int size = 2; size <= 64; size <<= 1) {
    const bool up = ((2 * lane) & size) == 0;
    for (int dist = size / 2; dist > 1; dist >>= 1) {
      const bool lower = ((2 * lane) & dist) == 0;
      for (int s = 0; s < 2; ++s)
        p[s] = choose(p[s], shuffle_xor(p[s], dist / 2), lower == up);
    }
    order(p[0], p[1], up);
  }

  out[row * 64 + 2 * lane] = make_float2(p[0].key, p[0].value);
  out[row * 64 + 2 * lane + 1] = make_float2(p[1].key, p[1].value);
}
