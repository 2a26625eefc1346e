// order-preserving map float -> uint
uint key(float f) { uint u = as_uint(f); return (u & 0x80000000u) ? ~u : u | 0x80000000u; }
float unkey(uint k) { return as_float((k & 0x80000000u) ? k & 0x7fffffffu : ~k); }

__kernel void fold(__global const float *x, volatile __global uint *best)
{
    atomic_max(best, key(x[get_global_id(0)]));
}

__kernel void unfold(__global const uint *best, __global float *out) { *out = unkey(*best); }
