// Z/257, root 3 generates everything.  order-n root: 3^(256/n)
#define Q 257u

uint powmod(uint b, uint e) {
  uint r = 1u;
  while (e) {
    if (e & 1u) r = r * b % Q;
    b = b * b % Q;
    e >>= 1;
  }
  return r;
}

__kernel void ntt(__global uint *a, uint n, uint lg) {
  uint t = get_local_id(0);
  // bit reversal, every item takes two
  for (uint i = t; i < n; i += n / 2) {
    uint j = 0;
    for (uint b = 0; b < lg; b++) j |= ((i >> b) & 1u) << (lg - 1u - b);
    if (i < j) { uint x = a[i]; a[i] = a[j]; a[j] = x; }
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  for (uint len = 2; len <= n; len *= 2) {
    uint k = t % (len / 2);
    uint i = t / (len / 2) * len + k;
    uint w = powmod(3u, 256u / len * k);
    uint u = a[i], v = a[i + len / 2] * w % Q;
    a[i] = (u + v) % Q;
    a[i + len / 2] = (u + Q - v) % Q;
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}
