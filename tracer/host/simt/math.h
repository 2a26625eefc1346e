// CUDA's mathematical functions on the C library's. Also what `#include <math.h>` gives a kernel here: the real one costs
// ten times as long to compile as a kernel does.
#pragma once

#include "item.h"

#define TWIDDLE_DEVICE TWIDDLE_UNCHECKED static inline
// Writes through pointers are the kernel's own, in the line of its call.
#define TWIDDLE_DEVICE_WRITES static inline __attribute__((always_inline))

// ---- The C library's own, in float and double; integers count as double ----

#define TWIDDLE_MATH1(name)                                       \
  extern "C" double name(double) noexcept;                        \
  extern "C" float name##f(float) noexcept;                       \
  TWIDDLE_DEVICE float name(float x) { return name##f(x); }       \
  template <typename Integer, typename = decltype(Integer() % 1)> \
  TWIDDLE_DEVICE double name(Integer x) {                         \
    return name(static_cast<double>(x));                          \
  }
#define TWIDDLE_MATH2(name)                                                         \
  extern "C" double name(double, double) noexcept;                                  \
  extern "C" float name##f(float, float) noexcept;                                  \
  TWIDDLE_DEVICE float name(float x, float y) { return name##f(x, y); }             \
  template <typename T, typename U, typename = decltype(double(T()) + double(U()))> \
  TWIDDLE_DEVICE double name(T x, U y) {                                            \
    return name(static_cast<double>(x), static_cast<double>(y));                    \
  }
// clang-format off
TWIDDLE_MATH1(sin) TWIDDLE_MATH1(cos) TWIDDLE_MATH1(tan) TWIDDLE_MATH1(asin) TWIDDLE_MATH1(acos)
TWIDDLE_MATH1(atan) TWIDDLE_MATH1(sinh) TWIDDLE_MATH1(cosh) TWIDDLE_MATH1(tanh) TWIDDLE_MATH1(asinh)
TWIDDLE_MATH1(acosh) TWIDDLE_MATH1(atanh) TWIDDLE_MATH1(exp) TWIDDLE_MATH1(exp2) TWIDDLE_MATH1(expm1)
TWIDDLE_MATH1(log) TWIDDLE_MATH1(log2) TWIDDLE_MATH1(log10) TWIDDLE_MATH1(log1p) TWIDDLE_MATH1(sqrt)
TWIDDLE_MATH1(cbrt) TWIDDLE_MATH1(fabs) TWIDDLE_MATH1(floor) TWIDDLE_MATH1(ceil) TWIDDLE_MATH1(trunc)
TWIDDLE_MATH1(round) TWIDDLE_MATH1(rint) TWIDDLE_MATH1(nearbyint) TWIDDLE_MATH1(erf) TWIDDLE_MATH1(erfc)
TWIDDLE_MATH1(tgamma) TWIDDLE_MATH1(lgamma)
TWIDDLE_MATH2(pow) TWIDDLE_MATH2(atan2) TWIDDLE_MATH2(fmod) TWIDDLE_MATH2(remainder) TWIDDLE_MATH2(hypot)
TWIDDLE_MATH2(fmin) TWIDDLE_MATH2(fmax) TWIDDLE_MATH2(fdim) TWIDDLE_MATH2(copysign) TWIDDLE_MATH2(nextafter)
#undef TWIDDLE_MATH1
#undef TWIDDLE_MATH2

extern "C" double fma(double, double, double) noexcept;
// clang-format on
extern "C" float fmaf(float, float, float) noexcept;
extern "C" double ldexp(double, int) noexcept;
extern "C" float ldexpf(float, int) noexcept;
extern "C" long lrint(double) noexcept;
extern "C" long lrintf(float) noexcept;
extern "C" long lround(double) noexcept;
extern "C" long lroundf(float) noexcept;
extern "C" int abs(int) noexcept;
extern "C" long labs(long) noexcept;
extern "C" long long llabs(long long) noexcept;
#define TWIDDLE_MATH_IN_TWO(name, T, P)                 \
  TWIDDLE_DEVICE_WRITES T name(T x, P* part) noexcept { \
    P own;                                              \
    const T result = __builtin_##name(x, &own);         \
    *part = own;                                        \
    return result;                                      \
  }
TWIDDLE_MATH_IN_TWO(frexp, double, int)
TWIDDLE_MATH_IN_TWO(frexpf, float, int)
TWIDDLE_MATH_IN_TWO(modf, double, double)
TWIDDLE_MATH_IN_TWO(modff, float, float)
#undef TWIDDLE_MATH_IN_TWO
TWIDDLE_DEVICE float fma(float x, float y, float z) { return fmaf(x, y, z); }
TWIDDLE_DEVICE float ldexp(float x, int n) { return ldexpf(x, n); }
TWIDDLE_DEVICE long abs(long x) { return labs(x); }
TWIDDLE_DEVICE long long abs(long long x) { return llabs(x); }
TWIDDLE_DEVICE float abs(float x) { return fabsf(x); }
TWIDDLE_DEVICE double abs(double x) { return fabs(x); }
TWIDDLE_DEVICE bool isnan(float x) { return __builtin_isnan(x); }
TWIDDLE_DEVICE bool isnan(double x) { return __builtin_isnan(x); }
TWIDDLE_DEVICE bool isinf(float x) { return __builtin_isinf(x); }
TWIDDLE_DEVICE bool isinf(double x) { return __builtin_isinf(x); }
TWIDDLE_DEVICE bool isfinite(float x) { return __builtin_isfinite(x); }
TWIDDLE_DEVICE bool isfinite(double x) { return __builtin_isfinite(x); }
TWIDDLE_DEVICE bool signbit(float x) { return __builtin_signbit(x); }
TWIDDLE_DEVICE bool signbit(double x) { return __builtin_signbit(x); }

#define TWIDDLE_MIN_MAX(T)                                 \
  TWIDDLE_DEVICE T min(T x, T y) { return y < x ? y : x; } \
  TWIDDLE_DEVICE T max(T x, T y) { return x < y ? y : x; }
// clang-format off
TWIDDLE_MIN_MAX(int) TWIDDLE_MIN_MAX(unsigned) TWIDDLE_MIN_MAX(long) TWIDDLE_MIN_MAX(unsigned long)
TWIDDLE_MIN_MAX(long long) TWIDDLE_MIN_MAX(unsigned long long)
#undef TWIDDLE_MIN_MAX
TWIDDLE_DEVICE unsigned min(int x, unsigned y) { return min(static_cast<unsigned>(x), y); }
// clang-format on
TWIDDLE_DEVICE unsigned min(unsigned x, int y) { return min(x, static_cast<unsigned>(y)); }
TWIDDLE_DEVICE unsigned max(int x, unsigned y) { return max(static_cast<unsigned>(x), y); }
TWIDDLE_DEVICE unsigned max(unsigned x, int y) { return max(x, static_cast<unsigned>(y)); }
TWIDDLE_DEVICE float min(float x, float y) { return fminf(x, y); }
TWIDDLE_DEVICE float max(float x, float y) { return fmaxf(x, y); }
TWIDDLE_DEVICE double min(double x, double y) { return fmin(x, y); }
TWIDDLE_DEVICE double max(double x, double y) { return fmax(x, y); }

#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_SQRT1_2 0.70710678118654752440
#define M_SQRT2 1.41421356237309504880
#define M_E 2.7182818284590452354
#ifndef INFINITY
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define HUGE_VAL __builtin_huge_val()
#endif

// ---- Those that only CUDA has ----

// The circle in eighths: exact at its multiples of a quarter, and else the library's on at most π/4.
struct twiddle_sine_and_cosine {
  double sine, cosine;
};
TWIDDLE_DEVICE twiddle_sine_and_cosine twiddle_sincospi(double x) {
  const double turns = x - 2 * rint(x / 2);          // −1 … 1, exact
  const double quarter = rint(2 * turns);            // −2 … 2
  const double rest = (turns - quarter / 2) * M_PI;  // −π/4 … π/4
  const double sine = rest == 0 ? copysign(0.0, turns) : sin(rest), cosine = cos(rest);
  switch (static_cast<int>(quarter) & 3) {
    case 0: return {sine, cosine};
    case 1: return {cosine, 0 - sine};
    case 2: return {0 - sine, -cosine};
    default: return {-cosine, 0 + sine};
  }
}
TWIDDLE_DEVICE double sinpi(double x) { return twiddle_sincospi(x).sine; }
TWIDDLE_DEVICE double cospi(double x) { return twiddle_sincospi(x).cosine; }
TWIDDLE_DEVICE float sinpif(float x) { return static_cast<float>(sinpi(static_cast<double>(x))); }
TWIDDLE_DEVICE float cospif(float x) { return static_cast<float>(cospi(static_cast<double>(x))); }
TWIDDLE_DEVICE_WRITES void sincospi(double x, double* s, double* c) {
  const twiddle_sine_and_cosine of = twiddle_sincospi(x);
  *s = of.sine, *c = of.cosine;
}
TWIDDLE_DEVICE_WRITES void sincospif(float x, float* s, float* c) {
  const twiddle_sine_and_cosine of = twiddle_sincospi(static_cast<double>(x));
  *s = static_cast<float>(of.sine), *c = static_cast<float>(of.cosine);
}
TWIDDLE_DEVICE_WRITES void sincospi(float x, float* s, float* c) { sincospif(x, s, c); }
TWIDDLE_DEVICE float sinpi(float x) { return sinpif(x); }
TWIDDLE_DEVICE float cospi(float x) { return cospif(x); }
TWIDDLE_DEVICE_WRITES void sincos(double x, double* s, double* c) { *s = sin(x), *c = cos(x); }
TWIDDLE_DEVICE_WRITES void sincosf(float x, float* s, float* c) { *s = sinf(x), *c = cosf(x); }
TWIDDLE_DEVICE_WRITES void sincos(float x, float* s, float* c) { sincosf(x, s, c); }
TWIDDLE_DEVICE float rsqrtf(float x) { return static_cast<float>(1 / sqrt(static_cast<double>(x))); }
TWIDDLE_DEVICE double rsqrt(double x) { return 1 / sqrt(x); }
TWIDDLE_DEVICE float rsqrt(float x) { return rsqrtf(x); }
TWIDDLE_DEVICE float exp10f(float x) { return powf(10, x); }
TWIDDLE_DEVICE double exp10(double x) { return pow(10, x); }
TWIDDLE_DEVICE float saturatef(float x) { return x > 0 ? x < 1 ? x : 1 : 0; }
TWIDDLE_DEVICE float __saturatef(float x) { return saturatef(x); }

// The fast forms are no faster here, and more accurate than a GPU's: within its bounds all the same.
TWIDDLE_DEVICE float __sinf(float x) { return sinf(x); }
TWIDDLE_DEVICE float __cosf(float x) { return cosf(x); }
TWIDDLE_DEVICE float __tanf(float x) { return tanf(x); }
TWIDDLE_DEVICE_WRITES void __sincosf(float x, float* s, float* c) { sincosf(x, s, c); }
TWIDDLE_DEVICE float __expf(float x) { return expf(x); }
TWIDDLE_DEVICE float __exp10f(float x) { return exp10f(x); }
TWIDDLE_DEVICE float __logf(float x) { return logf(x); }
TWIDDLE_DEVICE float __log2f(float x) { return log2f(x); }
TWIDDLE_DEVICE float __log10f(float x) { return log10f(x); }
TWIDDLE_DEVICE float __powf(float x, float y) { return powf(x, y); }
TWIDDLE_DEVICE float __fdividef(float x, float y) { return x / y; }
TWIDDLE_DEVICE float fdividef(float x, float y) { return x / y; }

// Rounded once, never fused with a neighbour: -ffp-contract=off holds for the whole kernel here.
TWIDDLE_DEVICE float __fadd_rn(float x, float y) { return x + y; }
TWIDDLE_DEVICE float __fsub_rn(float x, float y) { return x - y; }
TWIDDLE_DEVICE float __fmul_rn(float x, float y) { return x * y; }
TWIDDLE_DEVICE float __fdiv_rn(float x, float y) { return x / y; }
TWIDDLE_DEVICE float __fmaf_rn(float x, float y, float z) { return fmaf(x, y, z); }
TWIDDLE_DEVICE float __fsqrt_rn(float x) { return sqrtf(x); }
TWIDDLE_DEVICE float __frcp_rn(float x) { return 1 / x; }
TWIDDLE_DEVICE float __frsqrt_rn(float x) { return rsqrtf(x); }
TWIDDLE_DEVICE double __dadd_rn(double x, double y) { return x + y; }
TWIDDLE_DEVICE double __dsub_rn(double x, double y) { return x - y; }
TWIDDLE_DEVICE double __dmul_rn(double x, double y) { return x * y; }
TWIDDLE_DEVICE double __ddiv_rn(double x, double y) { return x / y; }
TWIDDLE_DEVICE double __fma_rn(double x, double y, double z) { return fma(x, y, z); }
TWIDDLE_DEVICE double __dsqrt_rn(double x) { return sqrt(x); }

// ---- Bits ----

template <typename To, typename From>
TWIDDLE_DEVICE To twiddle_bits(From x) {
  static_assert(sizeof(To) == sizeof(From), "the same bits");
  To y;
  __builtin_memcpy(&y, &x, sizeof y);
  return y;
}
TWIDDLE_DEVICE unsigned __float_as_uint(float x) { return twiddle_bits<unsigned>(x); }
TWIDDLE_DEVICE int __float_as_int(float x) { return twiddle_bits<int>(x); }
TWIDDLE_DEVICE float __uint_as_float(unsigned x) { return twiddle_bits<float>(x); }
TWIDDLE_DEVICE float __int_as_float(int x) { return twiddle_bits<float>(x); }
TWIDDLE_DEVICE long long __double_as_longlong(double x) { return twiddle_bits<long long>(x); }
TWIDDLE_DEVICE double __longlong_as_double(long long x) { return twiddle_bits<double>(x); }
TWIDDLE_DEVICE int __double2hiint(double x) { return static_cast<int>(__double_as_longlong(x) >> 32); }
TWIDDLE_DEVICE int __double2loint(double x) { return static_cast<int>(__double_as_longlong(x)); }
TWIDDLE_DEVICE double __hiloint2double(int high, int low) {
  return __longlong_as_double(static_cast<long long>(
      static_cast<unsigned long long>(static_cast<unsigned>(high)) << 32 | static_cast<unsigned>(low)));
}
TWIDDLE_DEVICE int __float2int_rn(float x) { return static_cast<int>(lrintf(x)); }
TWIDDLE_DEVICE int __float2int_rz(float x) { return static_cast<int>(x); }
TWIDDLE_DEVICE int __float2int_rd(float x) { return static_cast<int>(floorf(x)); }
TWIDDLE_DEVICE int __float2int_ru(float x) { return static_cast<int>(ceilf(x)); }
TWIDDLE_DEVICE unsigned __float2uint_rn(float x) { return static_cast<unsigned>(lrintf(x)); }
TWIDDLE_DEVICE unsigned __float2uint_rz(float x) { return static_cast<unsigned>(x); }
TWIDDLE_DEVICE float __int2float_rn(int x) { return static_cast<float>(x); }
TWIDDLE_DEVICE float __uint2float_rn(unsigned x) { return static_cast<float>(x); }
TWIDDLE_DEVICE double __int2double_rn(int x) { return x; }
TWIDDLE_DEVICE float __double2float_rn(double x) { return static_cast<float>(x); }

TWIDDLE_DEVICE int __clz(int x) { return x ? __builtin_clz(static_cast<unsigned>(x)) : 32; }
TWIDDLE_DEVICE int __clzll(long long x) { return x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64; }
TWIDDLE_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
TWIDDLE_DEVICE int __ffsll(long long x) { return __builtin_ffsll(x); }
TWIDDLE_DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
TWIDDLE_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
TWIDDLE_DEVICE unsigned __brev(unsigned x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(x);
}
TWIDDLE_DEVICE unsigned long long __brevll(unsigned long long x) {
  return static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32 |
         __brev(static_cast<unsigned>(x >> 32));
}
TWIDDLE_DEVICE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  const unsigned long long bytes = static_cast<unsigned long long>(y) << 32 | x;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned byte = static_cast<unsigned>(bytes >> (selector >> 4 * i & 7) * 8) & 255;
    const unsigned replicated = byte & 128 ? 255 : 0;
    result |= (selector >> 4 * i & 8 ? replicated : byte) << 8 * i;
  }
  return result;
}
TWIDDLE_DEVICE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by) {
  return static_cast<unsigned>(((static_cast<unsigned long long>(high) << 32 | low) << (by & 31)) >> 32);
}
TWIDDLE_DEVICE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by) {
  return static_cast<unsigned>((static_cast<unsigned long long>(high) << 32 | low) >> (by & 31));
}
TWIDDLE_DEVICE int __mul24(int x, int y) { return (x << 8 >> 8) * (y << 8 >> 8); }
TWIDDLE_DEVICE unsigned __umul24(unsigned x, unsigned y) { return (x & 0xffffffu) * (y & 0xffffffu); }
TWIDDLE_DEVICE int __mulhi(int x, int y) { return static_cast<int>(static_cast<long long>(x) * y >> 32); }
TWIDDLE_DEVICE unsigned __umulhi(unsigned x, unsigned y) {
  return static_cast<unsigned>(static_cast<unsigned long long>(x) * y >> 32);
}
TWIDDLE_DEVICE long long __mul64hi(long long x, long long y) {
  return static_cast<long long>(static_cast<__int128>(x) * y >> 64);
}
TWIDDLE_DEVICE unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(x) * y >> 64);
}
TWIDDLE_DEVICE int __dp4a(int x, int y, int sum) {
  for (int i = 0; i < 32; i += 8) sum += static_cast<signed char>(x >> i) * static_cast<signed char>(y >> i);
  return sum;
}
TWIDDLE_DEVICE unsigned __dp4a(unsigned x, unsigned y, unsigned sum) {
  for (int i = 0; i < 32; i += 8) sum += (x >> i & 255) * (y >> i & 255);
  return sum;
}
TWIDDLE_DEVICE unsigned __usad(unsigned x, unsigned y, unsigned z) { return z + (x < y ? y - x : x - y); }
TWIDDLE_DEVICE int __sad(int x, int y, unsigned z) {
  return static_cast<int>(z + static_cast<unsigned>(x < y ? y - x : x - y));
}
