// CUDA's half precision: 16 bits in memory, arithmetic in float, each result rounded to the nearest.
#pragma once

#include "math.h"

namespace twiddle_host {

TWIDDLE_DEVICE unsigned short half_bits(float value) {
  const unsigned bits = twiddle_bits<unsigned>(value), sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return 0x7fff;                                        // not a number
  if (magnitude >= 0x477ff000u) return static_cast<unsigned short>(sign | 0x7c00u);  // rounds to infinity
  if (magnitude < 0x33000001u) return static_cast<unsigned short>(sign);             // rounds to zero
  const int exponent = static_cast<int>(magnitude >> 23) - 127;
  const unsigned mantissa = (magnitude & 0x7fffffu) | 0x800000u;
  // Bits that have no place; below 2^-14 there are more of them. Ties go to the even neighbour.
  const unsigned drop = exponent < -14 ? static_cast<unsigned>(-1 - exponent) : 13u;
  const unsigned kept = mantissa >> drop, rest = mantissa & ((1u << drop) - 1), tie = 1u << (drop - 1);
  const unsigned rounded = kept + (rest > tie || (rest == tie && (kept & 1)) ? 1 : 0);
  const unsigned base = exponent < -14 ? 0 : static_cast<unsigned>(exponent + 14) << 10;
  return static_cast<unsigned short>(sign | (base + rounded));
}
TWIDDLE_DEVICE float half_value(unsigned short bits) {
  const unsigned sign = (bits & 0x8000u) << 16, exponent = bits >> 10 & 31u, mantissa = bits & 0x3ffu;
  if (exponent == 31) return twiddle_bits<float>(sign | 0x7f800000u | mantissa << 13);
  if (exponent > 0) return twiddle_bits<float>(sign | (exponent + 112) << 23 | mantissa << 13);
  const float tiny = static_cast<float>(mantissa) * 0x1p-24f;
  return sign ? -tiny : tiny;
}

}  // namespace twiddle_host

struct alignas(2) __half {
  unsigned short bits;

  __half() = default;
  __half(float value) : bits(twiddle_host::half_bits(value)) {}
  __half(double value) : bits(twiddle_host::half_bits(static_cast<float>(value))) {}
  __half(int value) : bits(twiddle_host::half_bits(static_cast<float>(value))) {}
  __half(unsigned value) : bits(twiddle_host::half_bits(static_cast<float>(value))) {}
  operator float() const { return twiddle_host::half_value(bits); }
  __half& operator+=(__half other);
  __half& operator-=(__half other);
  __half& operator*=(__half other);
  __half& operator/=(__half other);
};
typedef __half half;

#define TWIDDLE_HALF(operation, name)                                                                  \
  inline __half operator operation(__half a, __half b) { return {float(a) operation float(b)}; }       \
  inline __half& __half::operator operation##=(__half other) { return *this = *this operation other; } \
  inline __half name(__half a, __half b) { return a operation b; }
TWIDDLE_HALF(+, __hadd)
TWIDDLE_HALF(-, __hsub)
TWIDDLE_HALF(*, __hmul)
TWIDDLE_HALF(/, __hdiv)
#undef TWIDDLE_HALF
inline __half operator-(__half a) { return {-float(a)}; }
inline __half __hneg(__half a) { return -a; }
inline __half __habs(__half a) { return {fabsf(float(a))}; }
inline __half __hfma(__half a, __half b, __half c) { return {fmaf(float(a), float(b), float(c))}; }
inline __half __hmax(__half a, __half b) { return {fmaxf(float(a), float(b))}; }
inline __half __hmin(__half a, __half b) { return {fminf(float(a), float(b))}; }
inline __half hsqrt(__half a) { return {sqrtf(float(a))}; }
#define TWIDDLE_HALF_COMPARE(name, operation)                                  \
  inline bool name(__half a, __half b) { return float(a) operation float(b); } \
  inline bool operator operation(__half a, __half b) { return float(a) operation float(b); }
TWIDDLE_HALF_COMPARE(__heq, ==)
TWIDDLE_HALF_COMPARE(__hne, !=)
TWIDDLE_HALF_COMPARE(__hlt, <)
TWIDDLE_HALF_COMPARE(__hle, <=)
TWIDDLE_HALF_COMPARE(__hgt, >)
TWIDDLE_HALF_COMPARE(__hge, >=)
#undef TWIDDLE_HALF_COMPARE

inline __half __float2half(float value) { return {value}; }
inline __half __float2half_rn(float value) { return {value}; }
inline __half __double2half(double value) { return {value}; }
inline __half __int2half_rn(int value) { return {value}; }
inline __half __uint2half_rn(unsigned value) { return {value}; }
inline float __half2float(__half value) { return value; }
inline int __half2int_rn(__half value) { return static_cast<int>(lrintf(value)); }
inline int __half2int_rz(__half value) { return static_cast<int>(float(value)); }
inline unsigned short __half_as_ushort(__half value) { return value.bits; }
inline short __half_as_short(__half value) { return static_cast<short>(value.bits); }
inline __half __ushort_as_half(unsigned short bits) {
  __half value;
  value.bits = bits;
  return value;
}

struct alignas(4) __half2 {
  __half x, y;
};
typedef __half2 half2;
inline __half2 make_half2(__half x, __half y) { return {x, y}; }
inline __half2 __halves2half2(__half x, __half y) { return {x, y}; }
inline __half2 __half2half2(__half x) { return {x, x}; }
inline __half2 __floats2half2_rn(float x, float y) { return {__half(x), __half(y)}; }
inline __half2 __float22half2_rn(float2 v) { return {__half(v.x), __half(v.y)}; }
inline __half2 __float2half2_rn(float x) { return {__half(x), __half(x)}; }
inline float2 __half22float2(__half2 v) { return {float(v.x), float(v.y)}; }
inline float __low2float(__half2 v) { return v.x; }
inline float __high2float(__half2 v) { return v.y; }
inline __half __low2half(__half2 v) { return v.x; }
inline __half __high2half(__half2 v) { return v.y; }
inline __half2 __hadd2(__half2 a, __half2 b) { return {a.x + b.x, a.y + b.y}; }
inline __half2 __hsub2(__half2 a, __half2 b) { return {a.x - b.x, a.y - b.y}; }
inline __half2 __hmul2(__half2 a, __half2 b) { return {a.x * b.x, a.y * b.y}; }
inline __half2 __hfma2(__half2 a, __half2 b, __half2 c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }
inline __half2 operator+(__half2 a, __half2 b) { return __hadd2(a, b); }
inline __half2 operator-(__half2 a, __half2 b) { return __hsub2(a, b); }
inline __half2 operator*(__half2 a, __half2 b) { return __hmul2(a, b); }
