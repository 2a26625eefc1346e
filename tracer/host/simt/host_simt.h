// CUDA C++ for the system's C++ compiler: what the host executor compiles a kernel against. Twiddle puts this in front
// of a .cu file, and rewrites the few words that no macro can express (__global__, __shared__: see host_translate.h).
// Nothing of the standard library is included, so that a kernel compiles in a tenth of a second.
#pragma once

#define TWIDDLE_HOST 1
#define __CUDACC__ 1

#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __inline_hint__
#define __cluster_dims__(...)
#define __maxnreg__(n)
#define __grid_constant__
#define __align__(n) __attribute__((aligned(n)))

#include "atomics.h"
#include "checks.h"
#include "collectives.h"
#include "item.h"
#include "math.h"

twiddle_host::Module twiddle_host_module = {
    twiddle_host::abi_version, false, nullptr, nullptr, nullptr, nullptr, false, false};

// Loads with a caching hint are loads.
#define TWIDDLE_LOAD(name)             \
  template <typename T>                \
  __forceinline__ T name(const T* p) { \
    return *p;                         \
  }
TWIDDLE_LOAD(__ldg)
TWIDDLE_LOAD(__ldca)
TWIDDLE_LOAD(__ldcg)
TWIDDLE_LOAD(__ldcs)
TWIDDLE_LOAD(__ldlu)
TWIDDLE_LOAD(__ldcv)
#undef TWIDDLE_LOAD
#define TWIDDLE_STORE(name)                  \
  template <typename T>                      \
  __forceinline__ void name(T* p, T value) { \
    *p = value;                              \
  }
TWIDDLE_STORE(__stwb)
TWIDDLE_STORE(__stcg)
TWIDDLE_STORE(__stcs)
TWIDDLE_STORE(__stwt)
#undef TWIDDLE_STORE

TWIDDLE_DEVICE long long clock64() {
#if defined(__x86_64__)
  return static_cast<long long>(__builtin_ia32_rdtsc());
#elif defined(__aarch64__)
  long long ticks;
  asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  return 0;
#endif
}
TWIDDLE_DEVICE int clock() { return static_cast<int>(clock64()); }
// Who sleeps lets others go on.
TWIDDLE_DEVICE void __nanosleep(unsigned) {
  twiddle_host::Item* item = twiddle_host::this_item();
  item->services->waiting(item, item->last_read, __builtin_return_address(0));
}
#define __assume(condition) ((condition) ? (void)0 : __builtin_unreachable())
#if !defined(__clang__)
#define __builtin_assume(condition) __assume(condition)
#endif

__attribute__((format(printf, 1, 2))) TWIDDLE_DEVICE int printf(const char* format, ...) {
  twiddle_host::Item* item = twiddle_host::this_item();
  __builtin_va_list arguments;
  __builtin_va_start(arguments, format);
  const int written = item->services->print(item, format, arguments);
  __builtin_va_end(arguments);
  return written;
}

namespace twiddle_host {
// Around a choice whose element is taken (host_translate.cpp).
template <typename T>
__attribute__((always_inline)) constexpr T&& chosen(T&& what) {
  return static_cast<T&&>(what);
}
TWIDDLE_DEVICE void stop(StopReason why, const char* text, TWIDDLE_LINE) {
  Item* item = this_item();
  item->services->stopped(item, why, 0, text, twiddle_line);
}
}  // namespace twiddle_host

#define assert(condition) \
  ((condition) ? (void)0 : ::twiddle_host::stop(::twiddle_host::StopReason::AssertionFailed, #condition))
TWIDDLE_DEVICE void __trap(TWIDDLE_LINE) { twiddle_host::stop(twiddle_host::StopReason::Trap, "", twiddle_line); }
