// OpenCL's functions for kernels that are compiled for this processor and called directly. Work-items take turns and none runs
// beside another, so atomic operations are plain ones. Without images, half numbers and sub-groups: a program that uses
// these does not load, and is run by a driver instead.
#define OVL __attribute__((overloadable))
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#include "items.h"

// ---- work-items ------------------------------------------------------------------------------------------------------
__global struct twiddle_direct_state twiddle_direct_state;

size_t twiddle_direct_items(void) {
  __global unsigned long *size = twiddle_direct_state.local_size;
  return size[0] * size[1] * size[2];
}
void twiddle_direct_barrier(void) { twiddle_direct_state.barrier(); }
void twiddle_direct_give(ulong value) { twiddle_direct_state.given[twiddle_direct_state.linear % TWIDDLE_DIRECT_ITEMS] = value; }
ulong twiddle_direct_given(size_t item) { return twiddle_direct_state.given[item % TWIDDLE_DIRECT_ITEMS]; }

size_t OVL get_global_id(uint d) { return d < 3 ? twiddle_direct_state.global_id[d] : 0; }
size_t OVL get_local_id(uint d) { return d < 3 ? twiddle_direct_state.local_id[d] : 0; }
size_t OVL get_group_id(uint d) { return d < 3 ? twiddle_direct_state.group_id[d] : 0; }
size_t OVL get_global_size(uint d) { return d < 3 ? twiddle_direct_state.global_size[d] : 1; }
size_t OVL get_local_size(uint d) { return d < 3 ? twiddle_direct_state.local_size[d] : 1; }
size_t OVL get_enqueued_local_size(uint d) { return d < 3 ? twiddle_direct_state.local_size[d] : 1; }
size_t OVL get_num_groups(uint d) { return d < 3 ? twiddle_direct_state.groups[d] : 1; }
size_t OVL get_global_offset(uint d) { return 0; }
uint OVL get_work_dim(void) { return twiddle_direct_state.dimensions; }
size_t OVL get_local_linear_id(void) { return twiddle_direct_state.linear; }
size_t OVL get_global_linear_id(void) {
  return (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
}

void OVL barrier(cl_mem_fence_flags flags) { twiddle_direct_barrier(); }
void OVL work_group_barrier(cl_mem_fence_flags flags) { twiddle_direct_barrier(); }
void OVL work_group_barrier(cl_mem_fence_flags flags, memory_scope scope) { twiddle_direct_barrier(); }
void OVL mem_fence(cl_mem_fence_flags flags) {}
void OVL read_mem_fence(cl_mem_fence_flags flags) {}
void OVL write_mem_fence(cl_mem_fence_flags flags) {}
void OVL atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order, memory_scope scope) {}

// ---- functions of a vector's elements, one by one --------------------------------------------------------------------
#define VECTOR_1(R, f, T)                                                    \
  R##2 OVL f(T##2 a) { return (R##2)(f(a.x), f(a.y)); }                      \
  R##3 OVL f(T##3 a) { return (R##3)(f(a.x), f(a.y), f(a.z)); }              \
  R##4 OVL f(T##4 a) { return (R##4)(f(a.lo), f(a.hi)); }                    \
  R##8 OVL f(T##8 a) { return (R##8)(f(a.lo), f(a.hi)); }                    \
  R##16 OVL f(T##16 a) { return (R##16)(f(a.lo), f(a.hi)); }
#define VECTOR_2(R, f, T, U)                                                             \
  R##2 OVL f(T##2 a, U##2 b) { return (R##2)(f(a.x, b.x), f(a.y, b.y)); }                \
  R##3 OVL f(T##3 a, U##3 b) { return (R##3)(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z)); }   \
  R##4 OVL f(T##4 a, U##4 b) { return (R##4)(f(a.lo, b.lo), f(a.hi, b.hi)); }            \
  R##8 OVL f(T##8 a, U##8 b) { return (R##8)(f(a.lo, b.lo), f(a.hi, b.hi)); }            \
  R##16 OVL f(T##16 a, U##16 b) { return (R##16)(f(a.lo, b.lo), f(a.hi, b.hi)); }
#define VECTOR_3(R, f, T)                                                                                        \
  R##2 OVL f(T##2 a, T##2 b, T##2 c) { return (R##2)(f(a.x, b.x, c.x), f(a.y, b.y, c.y)); }                      \
  R##3 OVL f(T##3 a, T##3 b, T##3 c) { return (R##3)(f(a.x, b.x, c.x), f(a.y, b.y, c.y), f(a.z, b.z, c.z)); }    \
  R##4 OVL f(T##4 a, T##4 b, T##4 c) { return (R##4)(f(a.lo, b.lo, c.lo), f(a.hi, b.hi, c.hi)); }                \
  R##8 OVL f(T##8 a, T##8 b, T##8 c) { return (R##8)(f(a.lo, b.lo, c.lo), f(a.hi, b.hi, c.hi)); }                \
  R##16 OVL f(T##16 a, T##16 b, T##16 c) { return (R##16)(f(a.lo, b.lo, c.lo), f(a.hi, b.hi, c.hi)); }
// One number for all elements: the last argument, the first, the last two.
#define FOR_WIDTHS(DO, ...) DO(2, __VA_ARGS__) DO(3, __VA_ARGS__) DO(4, __VA_ARGS__) DO(8, __VA_ARGS__) DO(16, __VA_ARGS__)
#define LAST_OF(n, f, T, U) T##n OVL f(T##n a, U b) { return f(a, (U##n)b); }
#define FIRST_OF(n, f, T, U) T##n OVL f(U a, T##n b) { return f((T##n)a, b); }
#define LAST_OF_3(n, f, T) T##n OVL f(T##n a, T##n b, T c) { return f(a, b, (T##n)c); }
#define FIRST_TWO_OF_3(n, f, T) T##n OVL f(T a, T b, T##n c) { return f((T##n)a, (T##n)b, c); }
#define LAST_TWO_OF_3(n, f, T) T##n OVL f(T##n a, T b, T c) { return f(a, (T##n)b, (T##n)c); }

// ---- mathematics -----------------------------------------------------------------------------------------------------
#define MATH_1(f)                                   \
  float libm_##f##f(float) __asm__(#f "f");         \
  double libm_##f(double) __asm__(#f);              \
  float OVL f(float a) { return libm_##f##f(a); }   \
  double OVL f(double a) { return libm_##f(a); }    \
  VECTOR_1(float, f, float) VECTOR_1(double, f, double)
#define MATH_2(f)                                                    \
  float libm_##f##f(float, float) __asm__(#f "f");                   \
  double libm_##f(double, double) __asm__(#f);                       \
  float OVL f(float a, float b) { return libm_##f##f(a, b); }        \
  double OVL f(double a, double b) { return libm_##f(a, b); }        \
  VECTOR_2(float, f, float, float) VECTOR_2(double, f, double, double)
#define OWN_1(f, expression)                                         \
  float OVL f(float a) { return expression(float); }                 \
  double OVL f(double a) { return expression(double); }              \
  VECTOR_1(float, f, float) VECTOR_1(double, f, double)
#define OWN_2(f, expression)                                         \
  float OVL f(float a, float b) { return expression(float); }        \
  double OVL f(double a, double b) { return expression(double); }    \
  VECTOR_2(float, f, float, float) VECTOR_2(double, f, double, double)
#define OWN_3(f, expression)                                                      \
  float OVL f(float a, float b, float c) { return expression(float); }            \
  double OVL f(double a, double b, double c) { return expression(double); }       \
  VECTOR_3(float, f, float) VECTOR_3(double, f, double)

MATH_1(acos) MATH_1(acosh) MATH_1(asin) MATH_1(asinh) MATH_1(atan) MATH_1(atanh) MATH_1(cbrt) MATH_1(ceil) MATH_1(cos)
MATH_1(cosh) MATH_1(erf) MATH_1(erfc) MATH_1(exp) MATH_1(exp2) MATH_1(exp10) MATH_1(expm1) MATH_1(fabs) MATH_1(floor)
MATH_1(lgamma) MATH_1(log) MATH_1(log2) MATH_1(log10) MATH_1(log1p) MATH_1(logb) MATH_1(rint) MATH_1(round) MATH_1(sin)
MATH_1(sinh) MATH_1(sqrt) MATH_1(tan) MATH_1(tanh) MATH_1(tgamma) MATH_1(trunc)
MATH_2(atan2) MATH_2(copysign) MATH_2(fdim) MATH_2(fmax) MATH_2(fmin) MATH_2(fmod) MATH_2(hypot) MATH_2(nextafter)
MATH_2(pow) MATH_2(remainder)

#define PI_OF(T) ((T)3.14159265358979323846)
#define RSQRT(T) ((T)1 / sqrt(a))
#define ACOSPI(T) (acos(a) / PI_OF(T))
#define ASINPI(T) (asin(a) / PI_OF(T))
#define ATANPI(T) (atan(a) / PI_OF(T))
#define COSPI(T) cos(PI_OF(T) * fmod(a, (T)2))
#define SINPI(T) sin(PI_OF(T) * fmod(a, (T)2))
#define TANPI(T) tan(PI_OF(T) * fmod(a, (T)1))
#define DEGREES(T) (a * (T)57.29577951308232087680)
#define RADIANS(T) (a * (T)0.01745329251994329577)
#define SIGN(T) (a > 0 ? (T)1 : a < 0 ? (T)-1 : a == 0 ? a : (T)0)
OWN_1(rsqrt, RSQRT) OWN_1(acospi, ACOSPI) OWN_1(asinpi, ASINPI) OWN_1(atanpi, ATANPI) OWN_1(cospi, COSPI)
OWN_1(sinpi, SINPI) OWN_1(tanpi, TANPI) OWN_1(degrees, DEGREES) OWN_1(radians, RADIANS) OWN_1(sign, SIGN)
#define POWR(T) pow(a, b)
#define ATAN2PI(T) (atan2(a, b) / PI_OF(T))
#define MAXMAG(T) (fabs(a) > fabs(b) ? a : fabs(b) > fabs(a) ? b : fmax(a, b))
#define MINMAG(T) (fabs(a) < fabs(b) ? a : fabs(b) < fabs(a) ? b : fmin(a, b))
#define MAX(T) (a < b ? b : a)
#define MIN(T) (b < a ? b : a)
#define STEP(T) (b < a ? (T)0 : (T)1)
OWN_2(powr, POWR) OWN_2(atan2pi, ATAN2PI) OWN_2(maxmag, MAXMAG) OWN_2(minmag, MINMAG) OWN_2(max, MAX) OWN_2(min, MIN)
OWN_2(step, STEP)
float libm_fmaf(float, float, float) __asm__("fmaf");
double libm_fma(double, double, double) __asm__("fma");
#define MAD(T) (a * b + c)
#define MIX(T) (a + (b - a) * c)
#define CLAMP(T) (a < b ? b : c < a ? c : a)
OWN_3(mad, MAD) OWN_3(mix, MIX) OWN_3(clamp, CLAMP)
float OVL fma(float a, float b, float c) { return libm_fmaf(a, b, c); }
double OVL fma(double a, double b, double c) { return libm_fma(a, b, c); }
VECTOR_3(float, fma, float) VECTOR_3(double, fma, double)
float OVL smoothstep(float a, float b, float x) {
  const float t = clamp((x - a) / (b - a), 0.0f, 1.0f);
  return t * t * (3.0f - 2.0f * t);
}
double OVL smoothstep(double a, double b, double x) {
  const double t = clamp((x - a) / (b - a), 0.0, 1.0);
  return t * t * (3.0 - 2.0 * t);
}
VECTOR_3(float, smoothstep, float) VECTOR_3(double, smoothstep, double)
#define WITH_NUMBERS(T)                                                                                             \
  FOR_WIDTHS(LAST_OF, fmax, T, T) FOR_WIDTHS(LAST_OF, fmin, T, T) FOR_WIDTHS(LAST_OF, max, T, T)                      \
  FOR_WIDTHS(LAST_OF, min, T, T) FOR_WIDTHS(FIRST_OF, step, T, T) FOR_WIDTHS(LAST_OF_3, mix, T)                       \
  FOR_WIDTHS(FIRST_TWO_OF_3, smoothstep, T) FOR_WIDTHS(LAST_TWO_OF_3, clamp, T)
WITH_NUMBERS(float)
WITH_NUMBERS(double)

float libm_ldexpf(float, int) __asm__("ldexpf");
double libm_ldexp(double, int) __asm__("ldexp");
float OVL ldexp(float a, int n) { return libm_ldexpf(a, n); }
double OVL ldexp(double a, int n) { return libm_ldexp(a, n); }
float OVL pown(float a, int n) { return pow(a, (float)n); }
double OVL pown(double a, int n) { return pow(a, (double)n); }
float OVL rootn(float a, int n) { return a < 0 && (n & 1) ? -pow(-a, 1.0f / n) : pow(a, 1.0f / n); }
double OVL rootn(double a, int n) { return a < 0 && (n & 1) ? -pow(-a, 1.0 / n) : pow(a, 1.0 / n); }
#define WITH_WHOLE(f)                                                        \
  VECTOR_2(float, f, float, int) VECTOR_2(double, f, double, int)
WITH_WHOLE(ldexp) WITH_WHOLE(pown) WITH_WHOLE(rootn)
FOR_WIDTHS(LAST_OF, ldexp, float, int)
FOR_WIDTHS(LAST_OF, ldexp, double, int)
int libm_ilogbf(float) __asm__("ilogbf");
int libm_ilogb(double) __asm__("ilogb");
int OVL ilogb(float a) { return libm_ilogbf(a); }
int OVL ilogb(double a) { return libm_ilogb(a); }
VECTOR_1(int, ilogb, float) VECTOR_1(int, ilogb, double)
float OVL nan(uint code) { return as_float(0x7fc00000u | code); }
double OVL nan(ulong code) { return as_double(0x7ff8000000000000ul | code); }

#define NATIVE_1(f)                                                          \
  float OVL native_##f(float a) { return f(a); }                             \
  float OVL half_##f(float a) { return f(a); }                               \
  VECTOR_1(float, native_##f, float) VECTOR_1(float, half_##f, float)
NATIVE_1(cos) NATIVE_1(exp) NATIVE_1(exp2) NATIVE_1(exp10) NATIVE_1(log) NATIVE_1(log2) NATIVE_1(log10) NATIVE_1(rsqrt)
NATIVE_1(sin) NATIVE_1(sqrt) NATIVE_1(tan)
float OVL native_recip(float a) { return 1.0f / a; }
float OVL half_recip(float a) { return 1.0f / a; }
float OVL native_divide(float a, float b) { return a / b; }
float OVL half_divide(float a, float b) { return a / b; }
float OVL native_powr(float a, float b) { return pow(a, b); }
float OVL half_powr(float a, float b) { return pow(a, b); }
VECTOR_1(float, native_recip, float) VECTOR_1(float, half_recip, float)
VECTOR_2(float, native_divide, float, float) VECTOR_2(float, half_divide, float, float)
VECTOR_2(float, native_powr, float, float) VECTOR_2(float, half_powr, float, float)

// A second result, through a pointer to memory of any kind.
#define THROUGH_POINTER(S, T, I, n)                                                                               \
  T##n OVL sincos(T##n a, S T##n *p) { *p = cos(a); return sin(a); }                                              \
  T##n OVL fract(T##n a, S T##n *p) { *p = floor(a); return a - *p; }                                             \
  T##n OVL modf(T##n a, S T##n *p) { *p = trunc(a); return copysign(a - *p, a); }
#define ALL_OF_POINTER(S, T, I)                                                                                   \
  THROUGH_POINTER(S, T, I, ) THROUGH_POINTER(S, T, I, 2) THROUGH_POINTER(S, T, I, 3) THROUGH_POINTER(S, T, I, 4)     \
  THROUGH_POINTER(S, T, I, 8) THROUGH_POINTER(S, T, I, 16)
#define ALL_POINTERS(S) ALL_OF_POINTER(S, float, int) ALL_OF_POINTER(S, double, int)
ALL_POINTERS(__private) ALL_POINTERS(__global) ALL_POINTERS(__local) ALL_POINTERS(__generic)

// ---- geometry --------------------------------------------------------------------------------------------------------
#define GEOMETRY(T)                                                                        \
  T OVL dot(T a, T b) { return a * b; }                                                    \
  T OVL dot(T##2 a, T##2 b) { return a.x * b.x + a.y * b.y; }                              \
  T OVL dot(T##3 a, T##3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }                  \
  T OVL dot(T##4 a, T##4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }      \
  T##3 OVL cross(T##3 a, T##3 b) { return a.yzx * b.zxy - a.zxy * b.yzx; }                 \
  T##4 OVL cross(T##4 a, T##4 b) { return (T##4)(cross(a.xyz, b.xyz), 0); }
#define GEOMETRY_OF(T, V, p)                                                               \
  T OVL p##length(V a) { return sqrt(dot(a, a)); }                                         \
  T OVL p##distance(V a, V b) { return p##length(a - b); }                                 \
  V OVL p##normalize(V a) { return dot(a, a) == 0 ? a : a / p##length(a); }
GEOMETRY(float)
GEOMETRY(double)
GEOMETRY_OF(float, float, ) GEOMETRY_OF(float, float2, ) GEOMETRY_OF(float, float3, ) GEOMETRY_OF(float, float4, )
GEOMETRY_OF(float, float, fast_) GEOMETRY_OF(float, float2, fast_) GEOMETRY_OF(float, float3, fast_)
GEOMETRY_OF(float, float4, fast_)
GEOMETRY_OF(double, double, ) GEOMETRY_OF(double, double2, ) GEOMETRY_OF(double, double3, ) GEOMETRY_OF(double, double4, )

// ---- relations -------------------------------------------------------------------------------------------------------
// One number answers in an int, a vector in whole numbers as wide as its own.
#define OF_FLOATS(DO, f, expression)                                                            \
  DO(f, float, int, , expression) DO(f, double, int, , expression)                              \
  DO(f, float, int, 2, expression) DO(f, float, int, 3, expression)                             \
  DO(f, float, int, 4, expression) DO(f, float, int, 8, expression)                             \
  DO(f, float, int, 16, expression) DO(f, double, long, 2, expression)                          \
  DO(f, double, long, 3, expression) DO(f, double, long, 4, expression)                         \
  DO(f, double, long, 8, expression) DO(f, double, long, 16, expression)
#define RELATION_OF(f, T, I, n, expression) I##n OVL f(T##n a, T##n b) { return expression; }
#define RELATION(f, expression) OF_FLOATS(RELATION_OF, f, expression)
RELATION(isequal, a == b) RELATION(isnotequal, a != b) RELATION(isgreater, a > b) RELATION(isgreaterequal, a >= b)
RELATION(isless, a < b) RELATION(islessequal, a <= b) RELATION(islessgreater, (a < b) || (a > b))
RELATION(isordered, (a == a) && (b == b)) RELATION(isunordered, (a != a) || (b != b))
#define TEST_OF(f, T, I, n, expression) I##n OVL f(T##n a) { return expression; }
#define TEST(f, expression) OF_FLOATS(TEST_OF, f, expression)
TEST(isnan, a != a) TEST(isinf, fabs(a) == INFINITY) TEST(isfinite, fabs(a) < INFINITY)
int OVL signbit(float a) { return as_uint(a) >> 31; }
int OVL signbit(double a) { return as_ulong(a) >> 63; }
#define SIGNBIT(n)                                                           \
  int##n OVL signbit(float##n a) { return as_int##n(a) < 0; }                \
  long##n OVL signbit(double##n a) { return as_long##n(a) < 0; }
SIGNBIT(2) SIGNBIT(3) SIGNBIT(4) SIGNBIT(8) SIGNBIT(16)
#define ANY_ALL(T)                                                           \
  int OVL any(T a) { return a < 0; }                                         \
  int OVL all(T a) { return a < 0; }                                         \
  int OVL any(T##2 a) { return any(a.x) || any(a.y); }                       \
  int OVL all(T##2 a) { return all(a.x) && all(a.y); }                       \
  int OVL any(T##3 a) { return any(a.xy) || any(a.z); }                      \
  int OVL all(T##3 a) { return all(a.xy) && all(a.z); }                      \
  int OVL any(T##4 a) { return any(a.lo) || any(a.hi); }                     \
  int OVL all(T##4 a) { return all(a.lo) && all(a.hi); }                     \
  int OVL any(T##8 a) { return any(a.lo) || any(a.hi); }                     \
  int OVL all(T##8 a) { return all(a.lo) && all(a.hi); }                     \
  int OVL any(T##16 a) { return any(a.lo) || any(a.hi); }                    \
  int OVL all(T##16 a) { return all(a.lo) && all(a.hi); }
ANY_ALL(char) ANY_ALL(short) ANY_ALL(int) ANY_ALL(long)
#define SELECT_OF(T, I, n) T##n OVL select(T##n a, T##n b, I##n c) { return c ? b : a; }
#define SELECT(T, I)                                                                                             \
  SELECT_OF(T, I, ) SELECT_OF(T, I, 2) SELECT_OF(T, I, 3) SELECT_OF(T, I, 4) SELECT_OF(T, I, 8) SELECT_OF(T, I, 16)
SELECT(char, char) SELECT(char, uchar) SELECT(uchar, char) SELECT(uchar, uchar)
SELECT(short, short) SELECT(short, ushort) SELECT(ushort, short) SELECT(ushort, ushort)
SELECT(int, int) SELECT(int, uint) SELECT(uint, int) SELECT(uint, uint) SELECT(float, int) SELECT(float, uint)
SELECT(long, long) SELECT(long, ulong) SELECT(ulong, long) SELECT(ulong, ulong) SELECT(double, long)
SELECT(double, ulong)
#define BITSELECT_OF(T, n) T##n OVL bitselect(T##n a, T##n b, T##n c) { return (a & ~c) | (b & c); }
#define BITSELECT(T)                                                                                             \
  BITSELECT_OF(T, ) BITSELECT_OF(T, 2) BITSELECT_OF(T, 3) BITSELECT_OF(T, 4) BITSELECT_OF(T, 8) BITSELECT_OF(T, 16)
BITSELECT(char) BITSELECT(uchar) BITSELECT(short) BITSELECT(ushort) BITSELECT(int) BITSELECT(uint) BITSELECT(long)
BITSELECT(ulong)

// ---- whole numbers ---------------------------------------------------------------------------------------------------
#define WHOLE(T, U, W, BITS, LEAST, MOST)                                                                         \
  U OVL abs(T a) { return a < 0 ? (U)0 - (U)a : (U)a; }                                                           \
  U OVL abs_diff(T a, T b) { return a < b ? (U)b - (U)a : (U)a - (U)b; }                                          \
  T OVL max(T a, T b) { return a < b ? b : a; }                                                                   \
  T OVL min(T a, T b) { return b < a ? b : a; }                                                                   \
  T OVL clamp(T a, T b, T c) { return a < b ? b : c < a ? c : a; }                                                \
  T OVL hadd(T a, T b) { return (a >> 1) + (b >> 1) + (a & b & 1); }                                              \
  T OVL rhadd(T a, T b) { return (a >> 1) + (b >> 1) + ((a | b) & 1); }                                           \
  T OVL add_sat(T a, T b) { return b > 0 && a > MOST - b ? MOST : b < 0 && a < LEAST - b ? LEAST : (T)(a + b); }  \
  T OVL sub_sat(T a, T b) { return b < 0 && a > MOST + b ? MOST : b > 0 && a < LEAST + b ? LEAST : (T)(a - b); }  \
  T OVL mul_hi(T a, T b) { return (T)(((W)a * (W)b) >> BITS); }                                                   \
  T OVL mad_hi(T a, T b, T c) { return mul_hi(a, b) + c; }                                                        \
  T OVL mad_sat(T a, T b, T c) {                                                                                  \
    const W all = (W)a * (W)b + (W)c;                                                                             \
    return all > (W)MOST ? MOST : all < (W)LEAST ? LEAST : (T)all;                                                \
  }                                                                                                               \
  T OVL rotate(T a, T b) {                                                                                        \
    const uint by = (uint)b & (BITS - 1);                                                                         \
    return by == 0 ? a : (T)(((U)a << by) | ((U)a >> (BITS - by)));                                               \
  }                                                                                                               \
  T OVL clz(T a) { return a == 0 ? BITS : __builtin_clzl((ulong)(U)a) - (64 - BITS); }                            \
  T OVL ctz(T a) { return a == 0 ? BITS : __builtin_ctzl((ulong)(U)a); }                                          \
  T OVL popcount(T a) { return __builtin_popcountl((ulong)(U)a); }                                                \
  VECTOR_1(U, abs, T) VECTOR_2(U, abs_diff, T, T) VECTOR_2(T, max, T, T) VECTOR_2(T, min, T, T)                      \
  VECTOR_3(T, clamp, T) VECTOR_2(T, hadd, T, T) VECTOR_2(T, rhadd, T, T) VECTOR_2(T, add_sat, T, T)                  \
  VECTOR_2(T, sub_sat, T, T) VECTOR_2(T, mul_hi, T, T) VECTOR_3(T, mad_hi, T) VECTOR_3(T, mad_sat, T)                \
  VECTOR_2(T, rotate, T, T) VECTOR_1(T, clz, T) VECTOR_1(T, ctz, T) VECTOR_1(T, popcount, T)                         \
  FOR_WIDTHS(LAST_OF, max, T, T) FOR_WIDTHS(LAST_OF, min, T, T) FOR_WIDTHS(LAST_TWO_OF_3, clamp, T)
typedef __int128 wide;
typedef unsigned __int128 uwide;
WHOLE(char, uchar, long, 8, CHAR_MIN, CHAR_MAX)
WHOLE(uchar, uchar, ulong, 8, 0, UCHAR_MAX)
WHOLE(short, ushort, long, 16, SHRT_MIN, SHRT_MAX)
WHOLE(ushort, ushort, ulong, 16, 0, USHRT_MAX)
WHOLE(int, uint, long, 32, INT_MIN, INT_MAX)
WHOLE(uint, uint, ulong, 32, 0, UINT_MAX)
WHOLE(long, ulong, wide, 64, LONG_MIN, LONG_MAX)
WHOLE(ulong, ulong, uwide, 64, 0, ULONG_MAX)
#define OF_24_BITS(T)                                                        \
  T OVL mul24(T a, T b) { return a * b; }                                    \
  T OVL mad24(T a, T b, T c) { return a * b + c; }                           \
  VECTOR_2(T, mul24, T, T) VECTOR_3(T, mad24, T)
OF_24_BITS(int)
OF_24_BITS(uint)
#define UPSAMPLE(R, T, U, BITS)                                              \
  R OVL upsample(T high, U low) { return (R)(((R)high << BITS) | low); }     \
  VECTOR_2(R, upsample, T, U)
UPSAMPLE(short, char, uchar, 8) UPSAMPLE(ushort, uchar, uchar, 8) UPSAMPLE(int, short, ushort, 16)
UPSAMPLE(uint, ushort, ushort, 16) UPSAMPLE(long, int, uint, 32) UPSAMPLE(ulong, uint, uint, 32)

// ---- vectors in memory -----------------------------------------------------------------------------------------------
#define LOAD(S, T)                                                                                               \
  T##2 OVL vload2(size_t i, const S T *p) { p += 2 * i; return (T##2)(p[0], p[1]); }                             \
  T##3 OVL vload3(size_t i, const S T *p) { p += 3 * i; return (T##3)(p[0], p[1], p[2]); }                       \
  T##4 OVL vload4(size_t i, const S T *p) { p += 4 * i; return (T##4)(p[0], p[1], p[2], p[3]); }                 \
  T##8 OVL vload8(size_t i, const S T *p) { return (T##8)(vload4(2 * i, p), vload4(2 * i + 1, p)); }             \
  T##16 OVL vload16(size_t i, const S T *p) { return (T##16)(vload8(2 * i, p), vload8(2 * i + 1, p)); }
#define STORE(S, T)                                                                                              \
  void OVL vstore2(T##2 v, size_t i, S T *p) { p += 2 * i; p[0] = v.x; p[1] = v.y; }                             \
  void OVL vstore3(T##3 v, size_t i, S T *p) { p += 3 * i; p[0] = v.x; p[1] = v.y; p[2] = v.z; }                 \
  void OVL vstore4(T##4 v, size_t i, S T *p) { p += 4 * i; p[0] = v.x; p[1] = v.y; p[2] = v.z; p[3] = v.w; }     \
  void OVL vstore8(T##8 v, size_t i, S T *p) { vstore4(v.lo, 2 * i, p); vstore4(v.hi, 2 * i + 1, p); }           \
  void OVL vstore16(T##16 v, size_t i, S T *p) { vstore8(v.lo, 2 * i, p); vstore8(v.hi, 2 * i + 1, p); }
#define IN_MEMORY(T)                                                                                             \
  LOAD(__private, T) LOAD(__global, T) LOAD(__local, T) LOAD(__constant, T) LOAD(__generic, T)                      \
  STORE(__private, T) STORE(__global, T) STORE(__local, T) STORE(__generic, T)
IN_MEMORY(char) IN_MEMORY(uchar) IN_MEMORY(short) IN_MEMORY(ushort) IN_MEMORY(int) IN_MEMORY(uint) IN_MEMORY(long)
IN_MEMORY(ulong) IN_MEMORY(float) IN_MEMORY(double)

// Every item copies all of it before any goes on.
#define COPY_OF(T)                                                                                               \
  event_t OVL async_work_group_copy(__local T *to, const __global T *from, size_t count, event_t event) {        \
    for (size_t i = 0; i < count; ++i) to[i] = from[i];                                                          \
    return event;                                                                                                \
  }                                                                                                              \
  event_t OVL async_work_group_copy(__global T *to, const __local T *from, size_t count, event_t event) {        \
    for (size_t i = 0; i < count; ++i) to[i] = from[i];                                                          \
    return event;                                                                                                \
  }                                                                                                              \
  event_t OVL async_work_group_strided_copy(__local T *to, const __global T *from, size_t count, size_t stride,  \
                                            event_t event) {                                                     \
    for (size_t i = 0; i < count; ++i) to[i] = from[i * stride];                                                 \
    return event;                                                                                                \
  }                                                                                                              \
  event_t OVL async_work_group_strided_copy(__global T *to, const __local T *from, size_t count, size_t stride,  \
                                            event_t event) {                                                     \
    for (size_t i = 0; i < count; ++i) to[i * stride] = from[i];                                                 \
    return event;                                                                                                \
  }                                                                                                              \
  void OVL prefetch(const __global T *p, size_t count) {}
#define COPY(T) COPY_OF(T) COPY_OF(T##2) COPY_OF(T##3) COPY_OF(T##4) COPY_OF(T##8) COPY_OF(T##16)
COPY(char) COPY(uchar) COPY(short) COPY(ushort) COPY(int) COPY(uint) COPY(long) COPY(ulong) COPY(float) COPY(double)
void OVL wait_group_events(int count, event_t *events) { twiddle_direct_barrier(); }
void OVL wait_group_events(int count, __private event_t *events) { twiddle_direct_barrier(); }

// ---- conversions -----------------------------------------------------------------------------------------------------
#define WIDER(R, f, T)                                                                                           \
  R##2 OVL f##2(T##2 a) { return (R##2)(f(a.x), f(a.y)); }                                                       \
  R##3 OVL f##3(T##3 a) { return (R##3)(f(a.x), f(a.y), f(a.z)); }                                               \
  R##4 OVL f##4(T##4 a) { return (R##4)(f##2(a.lo), f##2(a.hi)); }                                               \
  R##8 OVL f##8(T##8 a) { return (R##8)(f##4(a.lo), f##4(a.hi)); }                                               \
  R##16 OVL f##16(T##16 a) { return (R##16)(f##8(a.lo), f##8(a.hi)); }
// The width is in the middle of a name with a mode: convert_int4_rte.
#define WIDER_MODE(R, T, mode)                                                                                                     \
  R##2 OVL convert_##R##2##mode(T##2 a) { return (R##2)(convert_##R##mode(a.x), convert_##R##mode(a.y)); }                         \
  R##3 OVL convert_##R##3##mode(T##3 a) {                                                                                          \
    return (R##3)(convert_##R##mode(a.x), convert_##R##mode(a.y), convert_##R##mode(a.z));                                         \
  }                                                                                                                                \
  R##4 OVL convert_##R##4##mode(T##4 a) { return (R##4)(convert_##R##2##mode(a.lo), convert_##R##2##mode(a.hi)); }                 \
  R##8 OVL convert_##R##8##mode(T##8 a) { return (R##8)(convert_##R##4##mode(a.lo), convert_##R##4##mode(a.hi)); }                 \
  R##16 OVL convert_##R##16##mode(T##16 a) { return (R##16)(convert_##R##8##mode(a.lo), convert_##R##8##mode(a.hi)); }
#define CONVERT(R, T)                                                        \
  R OVL convert_##R(T a) { return (R)a; }                                    \
  WIDER(R, convert_##R, T)
#define CONVERT_FROM_ALL(R)                                                                                      \
  CONVERT(R, char) CONVERT(R, uchar) CONVERT(R, short) CONVERT(R, ushort) CONVERT(R, int) CONVERT(R, uint)            \
  CONVERT(R, long) CONVERT(R, ulong) CONVERT(R, float) CONVERT(R, double)
CONVERT_FROM_ALL(char) CONVERT_FROM_ALL(uchar) CONVERT_FROM_ALL(short) CONVERT_FROM_ALL(ushort) CONVERT_FROM_ALL(int)
CONVERT_FROM_ALL(uint) CONVERT_FROM_ALL(long) CONVERT_FROM_ALL(ulong) CONVERT_FROM_ALL(float) CONVERT_FROM_ALL(double)

// Of whole numbers by way of 128 bits, which hold all of them.
#define SATURATE(R, T, LEAST, MOST)                                                                              \
  R OVL convert_##R##_sat(T a) {                                                                                 \
    return (wide)a < (wide)LEAST ? (R)LEAST : (wide)a > (wide)MOST ? (R)MOST : (R)a;                             \
  }                                                                                                              \
  WIDER_MODE(R, T, _sat)
#define SATURATE_FLOATING(R, T, LEAST, MOST)                                                                     \
  R OVL convert_##R##_sat(T a) {                                                                                 \
    return a != a ? (R)0 : a <= (T)LEAST ? (R)LEAST : a >= (T)MOST ? (R)MOST : (R)a;                             \
  }                                                                                                              \
  WIDER_MODE(R, T, _sat)                                                                                         \
  R OVL convert_##R##_rte(T a) { return (R)rint(a); }                                                            \
  R OVL convert_##R##_rtz(T a) { return (R)a; }                                                                  \
  R OVL convert_##R##_rtp(T a) { return (R)ceil(a); }                                                            \
  R OVL convert_##R##_rtn(T a) { return (R)floor(a); }                                                           \
  R OVL convert_##R##_sat_rte(T a) { return convert_##R##_sat(rint(a)); }                                        \
  R OVL convert_##R##_sat_rtz(T a) { return convert_##R##_sat(a); }                                              \
  R OVL convert_##R##_sat_rtp(T a) { return convert_##R##_sat(ceil(a)); }                                        \
  R OVL convert_##R##_sat_rtn(T a) { return convert_##R##_sat(floor(a)); }                                       \
  WIDER_MODE(R, T, _rte) WIDER_MODE(R, T, _rtz) WIDER_MODE(R, T, _rtp) WIDER_MODE(R, T, _rtn)                        \
  WIDER_MODE(R, T, _sat_rte) WIDER_MODE(R, T, _sat_rtz) WIDER_MODE(R, T, _sat_rtp) WIDER_MODE(R, T, _sat_rtn)
#define SATURATE_FROM_ALL(R, LEAST, MOST)                                                                        \
  SATURATE(R, char, LEAST, MOST) SATURATE(R, uchar, LEAST, MOST) SATURATE(R, short, LEAST, MOST)                    \
  SATURATE(R, ushort, LEAST, MOST) SATURATE(R, int, LEAST, MOST) SATURATE(R, uint, LEAST, MOST)                     \
  SATURATE(R, long, LEAST, MOST) SATURATE(R, ulong, LEAST, MOST) SATURATE_FLOATING(R, float, LEAST, MOST)           \
  SATURATE_FLOATING(R, double, LEAST, MOST)
SATURATE_FROM_ALL(char, CHAR_MIN, CHAR_MAX)
SATURATE_FROM_ALL(uchar, 0, UCHAR_MAX)
SATURATE_FROM_ALL(short, SHRT_MIN, SHRT_MAX)
SATURATE_FROM_ALL(ushort, 0, USHRT_MAX)
SATURATE_FROM_ALL(int, INT_MIN, INT_MAX)
SATURATE_FROM_ALL(uint, 0, UINT_MAX)
SATURATE_FROM_ALL(long, LONG_MIN, LONG_MAX)
SATURATE_FROM_ALL(ulong, 0, ULONG_MAX)

// ---- shuffles of a vector's elements ---------------------------------------------------------------------------------
#define SHUFFLE_OF(T, U, n, m)                                               \
  T##n OVL shuffle(T##m a, U##n mask) {                                      \
    T##n r;                                                                  \
    for (int i = 0; i < n; ++i) r[i] = a[mask[i] & (m - 1)];                 \
    return r;                                                                \
  }                                                                          \
  T##n OVL shuffle2(T##m a, T##m b, U##n mask) {                             \
    T##n r;                                                                  \
    for (int i = 0; i < n; ++i) r[i] = mask[i] & m ? b[mask[i] & (m - 1)] : a[mask[i] & (m - 1)]; \
    return r;                                                                \
  }
#define SHUFFLE_TO(T, U, n) SHUFFLE_OF(T, U, n, 2) SHUFFLE_OF(T, U, n, 4) SHUFFLE_OF(T, U, n, 8) SHUFFLE_OF(T, U, n, 16)
#define SHUFFLE(T, U) SHUFFLE_TO(T, U, 2) SHUFFLE_TO(T, U, 4) SHUFFLE_TO(T, U, 8) SHUFFLE_TO(T, U, 16)
SHUFFLE(char, uchar) SHUFFLE(uchar, uchar) SHUFFLE(short, ushort) SHUFFLE(ushort, ushort) SHUFFLE(int, uint)
SHUFFLE(uint, uint) SHUFFLE(float, uint) SHUFFLE(long, ulong) SHUFFLE(ulong, ulong) SHUFFLE(double, ulong)

// ---- atomic operations -----------------------------------------------------------------------------------------------
#define OLD_ATOMIC(S, T, p)                                                                                      \
  T OVL p##add(volatile S T *at, T v) { const T was = *at; *at = was + v; return was; }                          \
  T OVL p##sub(volatile S T *at, T v) { const T was = *at; *at = was - v; return was; }                          \
  T OVL p##xchg(volatile S T *at, T v) { const T was = *at; *at = v; return was; }                               \
  T OVL p##min(volatile S T *at, T v) { const T was = *at; *at = v < was ? v : was; return was; }                \
  T OVL p##max(volatile S T *at, T v) { const T was = *at; *at = was < v ? v : was; return was; }                \
  T OVL p##and(volatile S T *at, T v) { const T was = *at; *at = was & v; return was; }                          \
  T OVL p##or(volatile S T *at, T v) { const T was = *at; *at = was | v; return was; }                           \
  T OVL p##xor(volatile S T *at, T v) { const T was = *at; *at = was ^ v; return was; }                          \
  T OVL p##inc(volatile S T *at) { const T was = *at; *at = was + 1; return was; }                               \
  T OVL p##dec(volatile S T *at) { const T was = *at; *at = was - 1; return was; }                               \
  T OVL p##cmpxchg(volatile S T *at, T expected, T v) {                                                          \
    const T was = *at;                                                                                           \
    if (was == expected) *at = v;                                                                                \
    return was;                                                                                                  \
  }
#define OLD_ATOMICS(S)                                                                                           \
  OLD_ATOMIC(S, int, atomic_) OLD_ATOMIC(S, uint, atomic_) OLD_ATOMIC(S, int, atom_) OLD_ATOMIC(S, uint, atom_)      \
  OLD_ATOMIC(S, long, atom_) OLD_ATOMIC(S, ulong, atom_)                                                          \
  float OVL atomic_xchg(volatile S float *at, float v) { const float was = *at; *at = v; return was; }
OLD_ATOMICS(__global) OLD_ATOMICS(__local) OLD_ATOMICS(__generic)

// What follows the other parameters: nothing, an order, an order and a scope.
#define ORDERS(DO, S, T) DO(S, T, , 0) DO(S, T, _explicit, 1) DO(S, T, _explicit, 2)
#define PARAMETERS_0
#define PARAMETERS_1 , memory_order order
#define PARAMETERS_2 , memory_order order, memory_scope scope
#define PARAMETERS_3 , memory_order success, memory_order failure
#define PARAMETERS_4 , memory_order success, memory_order failure, memory_scope scope
#define PLAIN(S, T) (volatile S T *)
#define ATOMIC_BASE(S, T, e, more)                                                                               \
  void OVL atomic_store##e(volatile S atomic_##T *at, T v PARAMETERS_##more) { *PLAIN(S, T) at = v; }                         \
  T OVL atomic_load##e(volatile S atomic_##T *at PARAMETERS_##more) { return *PLAIN(S, T) at; }                               \
  T OVL atomic_exchange##e(volatile S atomic_##T *at, T v PARAMETERS_##more) {                                                \
    const T was = *PLAIN(S, T) at;                                                                               \
    *PLAIN(S, T) at = v;                                                                                         \
    return was;                                                                                                  \
  }
#define FETCH(S, T, e, more, f, expression)                                                                      \
  T OVL atomic_fetch_##f##e(volatile S atomic_##T *at, T v PARAMETERS_##more) {                                               \
    const T was = *PLAIN(S, T) at;                                                                               \
    *PLAIN(S, T) at = expression;                                                                                \
    return was;                                                                                                  \
  }
#define ATOMIC_WHOLE(S, T, e, more)                                                                              \
  FETCH(S, T, e, more, add, was + v) FETCH(S, T, e, more, sub, was - v) FETCH(S, T, e, more, or, was | v)           \
  FETCH(S, T, e, more, and, was & v) FETCH(S, T, e, more, xor, was ^ v)                                             \
  FETCH(S, T, e, more, min, v < was ? v : was) FETCH(S, T, e, more, max, was < v ? v : was)
#define EXCHANGE(S, X, T, f, more)                                                                               \
  bool OVL f(volatile S atomic_##T *at, X T *expected, T v PARAMETERS_##more) {                                               \
    const T was = *PLAIN(S, T) at;                                                                               \
    const bool same = was == *expected;                                                                          \
    if (same) *PLAIN(S, T) at = v;                                                                               \
    else *expected = was;                                                                                        \
    return same;                                                                                                 \
  }
#define EXCHANGE_OF(S, X, T)                                                                                     \
  EXCHANGE(S, X, T, atomic_compare_exchange_strong, 0) EXCHANGE(S, X, T, atomic_compare_exchange_weak, 0)              \
  EXCHANGE(S, X, T, atomic_compare_exchange_strong_explicit, 3)                                         \
  EXCHANGE(S, X, T, atomic_compare_exchange_weak_explicit, 3)                                           \
  EXCHANGE(S, X, T, atomic_compare_exchange_strong_explicit, 4)                              \
  EXCHANGE(S, X, T, atomic_compare_exchange_weak_explicit, 4)
#define NEW_ATOMIC(S, T)                                                                                         \
  void OVL atomic_init(volatile S atomic_##T *at, T v) { *PLAIN(S, T) at = v; }                                  \
  ORDERS(ATOMIC_BASE, S, T)                                                                                      \
  EXCHANGE_OF(S, __private, T) EXCHANGE_OF(S, __global, T) EXCHANGE_OF(S, __local, T) EXCHANGE_OF(S, __generic, T)
#define NEW_WHOLE(S, T) NEW_ATOMIC(S, T) ORDERS(ATOMIC_WHOLE, S, T)
#define NEW_ATOMICS(S)                                                                                           \
  NEW_WHOLE(S, int) NEW_WHOLE(S, uint) NEW_WHOLE(S, long) NEW_WHOLE(S, ulong) NEW_ATOMIC(S, float)
NEW_ATOMICS(__global) NEW_ATOMICS(__local) NEW_ATOMICS(__generic)

// ---- what a group does together --------------------------------------------------------------------------------------
int OVL work_group_all(int predicate) {
  twiddle_direct_give(predicate != 0);
  twiddle_direct_barrier();
  int all = 1;
  for (size_t i = 0; i < twiddle_direct_items(); ++i) all &= (int)twiddle_direct_given(i);
  twiddle_direct_barrier();
  return all;
}
int OVL work_group_any(int predicate) { return !work_group_all(!predicate); }
// A value as 64 bits, and back.
ulong OVL bits_of(int a) { return (ulong)a; }
ulong OVL bits_of(uint a) { return a; }
ulong OVL bits_of(long a) { return (ulong)a; }
ulong OVL bits_of(ulong a) { return a; }
ulong OVL bits_of(float a) { return as_uint(a); }
ulong OVL bits_of(double a) { return as_ulong(a); }
#define FROM_BITS(T, expression) \
  T from_bits_##T(ulong bits) { return expression; }
FROM_BITS(int, (int)bits) FROM_BITS(uint, (uint)bits) FROM_BITS(long, (long)bits) FROM_BITS(ulong, bits)
FROM_BITS(float, as_float((uint)bits)) FROM_BITS(double, as_double(bits))
#define TOGETHER_OF(T, name, first, expression)                                                                  \
  T together_##name##_##T(T value, size_t until, bool none) {                                                    \
    twiddle_direct_give(bits_of(value));                                                                         \
    twiddle_direct_barrier();                                                                                    \
    T a = first;                                                                                                 \
    for (size_t i = 0; i < until; ++i) {                                                                         \
      const T b = from_bits_##T(twiddle_direct_given(i));                                                        \
      a = i == 0 && none ? b : expression;                                                                       \
    }                                                                                                            \
    twiddle_direct_barrier();                                                                                    \
    return a;                                                                                                    \
  }                                                                                                              \
  T OVL work_group_reduce_##name(T v) { return together_##name##_##T(v, twiddle_direct_items(), true); }         \
  T OVL work_group_scan_inclusive_##name(T v) {                                                                  \
    return together_##name##_##T(v, twiddle_direct_state.linear + 1, true);                                          \
  }                                                                                                              \
  T OVL work_group_scan_exclusive_##name(T v) { return together_##name##_##T(v, twiddle_direct_state.linear, false); }
#define BROADCAST(T)                                                                                             \
  T broadcast_of_##T(T value, size_t item) {                                                                     \
    twiddle_direct_give(bits_of(value));                                                                         \
    twiddle_direct_barrier();                                                                                    \
    const T got = from_bits_##T(twiddle_direct_given(item));                                                     \
    twiddle_direct_barrier();                                                                                    \
    return got;                                                                                                  \
  }                                                                                                              \
  T OVL work_group_broadcast(T v, size_t x) { return broadcast_of_##T(v, x); }                                   \
  T OVL work_group_broadcast(T v, size_t x, size_t y) { return broadcast_of_##T(v, y * get_local_size(0) + x); } \
  T OVL work_group_broadcast(T v, size_t x, size_t y, size_t z) {                                                \
    return broadcast_of_##T(v, (z * get_local_size(1) + y) * get_local_size(0) + x);                             \
  }
#define TOGETHER(T, LEAST, MOST)                                                                                 \
  TOGETHER_OF(T, add, 0, a + b) TOGETHER_OF(T, min, MOST, b < a ? b : a) TOGETHER_OF(T, max, LEAST, a < b ? b : a)   \
  BROADCAST(T)
TOGETHER(int, INT_MIN, INT_MAX)
TOGETHER(uint, 0, UINT_MAX)
TOGETHER(long, LONG_MIN, LONG_MAX)
TOGETHER(ulong, 0, ULONG_MAX)
TOGETHER(float, -INFINITY, INFINITY)
TOGETHER(double, -INFINITY, INFINITY)
