// What every transform needs: the precision it works in, complex arithmetic and twiddle factors.
//
// In double precision: -Dreal=double -Dreal2=double2. With the hardware's own sine and cosine: -DNATIVE.
#pragma once

#ifndef real
#define real float
#define real2 float2
#endif

__device__ inline int global_id() { return blockIdx.x * blockDim.x + threadIdx.x; }

__device__ inline real2 operator+(real2 a, real2 b) { return {a.x + b.x, a.y + b.y}; }
__device__ inline real2 operator-(real2 a, real2 b) { return {a.x - b.x, a.y - b.y}; }
__device__ inline real2 operator*(real2 a, real2 b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }
__device__ inline real2 operator*(real2 a, real s) { return {a.x * s, a.y * s}; }

// w_n^k = e^(sign·2πi·k/n). The angle is taken in half turns, so that no rounded π comes into it.
__device__ inline real2 twiddle(int k, int n, int sign)
{
  real x = static_cast<real>(2 * k) / n;
  real2 w;
#ifdef NATIVE
  __sincosf(3.14159265f * x, &w.y, &w.x);
#else
  sincospi(x, &w.y, &w.x);
#endif
  w.y *= sign;
  return w;
}

// sign·i·a
__device__ inline real2 times_i(real2 a, int sign) { return {-sign * a.y, sign * a.x}; }
