// CUDA's vector types, sizes and alignments as in the CUDA C++ programming guide.
#pragma once

// What NVRTC knows without an include.
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef long clock_t;
typedef unsigned int uint;
typedef unsigned short ushort;
#ifndef NULL
#define NULL __null
#endif

#define TWIDDLE_VECTORS(T, name, align2, align4)                                      \
  struct name##1 {                                                                    \
    T x;                                                                              \
  };                                                                                  \
  struct alignas(align2) name##2 {                                                    \
    T x, y;                                                                           \
  };                                                                                  \
  struct name##3 {                                                                    \
    T x, y, z;                                                                        \
  };                                                                                  \
  struct alignas(align4) name##4 {                                                    \
    T x, y, z, w;                                                                     \
  };                                                                                  \
  static inline constexpr name##1 make_##name##1(T x) { return {x}; }                 \
  static inline constexpr name##2 make_##name##2(T x, T y) { return {x, y}; }         \
  static inline constexpr name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; } \
  static inline constexpr name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }

TWIDDLE_VECTORS(signed char, char, 2, 4)
TWIDDLE_VECTORS(unsigned char, uchar, 2, 4)
TWIDDLE_VECTORS(short, short, 4, 8)
TWIDDLE_VECTORS(unsigned short, ushort, 4, 8)
TWIDDLE_VECTORS(int, int, 8, 16)
TWIDDLE_VECTORS(unsigned int, uint, 8, 16)
TWIDDLE_VECTORS(long, long, 2 * sizeof(long), 16)
TWIDDLE_VECTORS(unsigned long, ulong, 2 * sizeof(long), 16)
TWIDDLE_VECTORS(long long, longlong, 16, 16)
TWIDDLE_VECTORS(unsigned long long, ulonglong, 16, 16)
TWIDDLE_VECTORS(float, float, 8, 16)
TWIDDLE_VECTORS(double, double, 16, 16)
#undef TWIDDLE_VECTORS

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};
