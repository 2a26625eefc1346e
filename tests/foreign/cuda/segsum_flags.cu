// Segmented reduction by keys: a warp scans (key, value) pairs with shuffles and adds the ends of runs atomically.
__global__ void reduce_by_key(const int *keys, const float *vals, float *out, int n)
{
  const unsigned mask = 0xffffffff;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x & 31;
  int key = i < n ? keys[i] : -1;
  float v = i < n ? vals[i] : 0.f;
  for (int d = 1; d < 32; d *= 2) {
    const float ov = __shfl_up_sync(mask, v, d);
    const int ok = __shfl_up_sync(mask, key, d);
    if (lane >= d && ok == key) v += ov;
  }
  const int next = __shfl_down_sync(mask, key, 1);
  const bool last = lane == 31 || next != key;
  if (last && key >= 0) atomicAdd(out + key, v);
}
