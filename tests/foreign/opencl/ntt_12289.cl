/* Number theoretic transform modulo 12289 = 3 * 2^12 + 1, Gentleman-Sande butterflies. */
#define Q 12289u

uint mulmod(uint a, uint b) { return (a * b) % Q; }
uint addmod(uint a, uint b) { uint s = a + b; return s >= Q ? s - Q : s; }
uint submod(uint a, uint b) { return a >= b ? a - b : a + Q - b; }

/* w[i] = root^i */
__kernel void fill_powers(__global uint *w, uint root)
{
  uint e = get_global_id(0), r = 1, b = root;
  while (e) {
    if (e & 1) r = mulmod(r, b);
    b = mulmod(b, b);
    e >>= 1;
  }
  w[get_global_id(0)] = r;
}

uint flip(uint v, uint bits)
{
  uint r = 0;
  for (uint i = 0; i < bits; i++) {
    r = (r << 1) | (v & 1);
    v >>= 1;
  }
  return r;
}

__kernel void ntt(__global const uint *x, __global uint *y, __global const uint *w, __local uint *buf, uint logn)
{
  const uint n = 1u << logn;
  const uint lid = get_local_id(0);
  const uint items = get_local_size(0);

  for (uint i = lid; i < n; i += items) buf[i] = x[i] % Q;
  barrier(CLK_LOCAL_MEM_FENCE);

  uint stride = 1;
  for (uint half_len = n / 2; half_len > 0; half_len >>= 1) {
    for (uint b = lid; b < n / 2; b += items) {
      uint j = b & (half_len - 1);
      uint lo = 2 * (b - j) + j;
      uint hi = lo + half_len;
      uint p = buf[lo], q = buf[hi];
      buf[lo] = addmod(p, q);
      buf[hi] = mulmod(submod(p, q), w[j * stride]);
    }
    stride <<= 1;
    barrier(CLK_LOCAL_MEM_FENCE);
  }

  for (uint i = lid; i < n; i += items) y[flip(i, logn)] = buf[i];
}
