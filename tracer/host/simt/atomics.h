// Atomic functions: they return what was there before. Groups may run on several threads, so these are really atomic.
#pragma once

#include "checks.h"
#include "math.h"

namespace twiddle_host {

// The new value is a function of the old one, tried until no other item came between.
template <typename T, typename Change>
TWIDDLE_UNCHECKED static inline T atomically(T* place, const void* pc, Change change) {
  check_atomic(place, sizeof(T), pc);
  T before, after;
  __atomic_load(place, &before, __ATOMIC_RELAXED);
  do after = change(before);
  while (!__atomic_compare_exchange(place, &before, &after, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
  return before;
}

}  // namespace twiddle_host

#define TWIDDLE_HERE __builtin_return_address(0)
#define TWIDDLE_ATOMIC_FUNCTION TWIDDLE_UNCHECKED __attribute__((noinline, unused)) static

// Named as CUDA names them: plain, and for the group or the whole system, which is all the same here.
#define TWIDDLE_ATOMIC(name, T, expression)                                                  \
  TWIDDLE_ATOMIC_FUNCTION T name(T* place, T x) {                                            \
    return twiddle_host::atomically(place, TWIDDLE_HERE, [x](T old) TWIDDLE_UNCHECKED -> T { \
      (void)old;                                                                             \
      return expression;                                                                     \
    });                                                                                      \
  }                                                                                          \
  TWIDDLE_ATOMIC_FUNCTION T name##_block(T* place, T x) { return name(place, x); }           \
  TWIDDLE_ATOMIC_FUNCTION T name##_system(T* place, T x) { return name(place, x); }
#define TWIDDLE_ATOMIC_WORDS(name, expression) \
  TWIDDLE_ATOMIC(name, int, expression)        \
  TWIDDLE_ATOMIC(name, unsigned, expression)   \
  TWIDDLE_ATOMIC(name, unsigned long long, expression)

TWIDDLE_ATOMIC_WORDS(atomicAdd, old + x)
TWIDDLE_ATOMIC(atomicAdd, float, old + x)
TWIDDLE_ATOMIC(atomicAdd, double, old + x)
TWIDDLE_ATOMIC(atomicSub, int, old - x)
TWIDDLE_ATOMIC(atomicSub, unsigned, old - x)
TWIDDLE_ATOMIC_WORDS(atomicExch, x)
TWIDDLE_ATOMIC(atomicExch, float, x)
TWIDDLE_ATOMIC_WORDS(atomicMin, x < old ? x : old)
TWIDDLE_ATOMIC(atomicMin, long long, x < old ? x : old)
TWIDDLE_ATOMIC_WORDS(atomicMax, old < x ? x : old)
TWIDDLE_ATOMIC(atomicMax, long long, old < x ? x : old)
TWIDDLE_ATOMIC_WORDS(atomicAnd, old& x)
TWIDDLE_ATOMIC_WORDS(atomicOr, old | x)
TWIDDLE_ATOMIC_WORDS(atomicXor, old ^ x)
TWIDDLE_ATOMIC(atomicInc, unsigned, old >= x ? 0u : old + 1)
TWIDDLE_ATOMIC(atomicDec, unsigned, old == 0 || old > x ? x : old - 1)

#define TWIDDLE_ATOMIC_CAS(T)                                                                                    \
  TWIDDLE_ATOMIC_FUNCTION T atomicCAS(T* place, T expected, T x) {                                               \
    return twiddle_host::atomically(place, TWIDDLE_HERE,                                                         \
                                    [=](T old) TWIDDLE_UNCHECKED -> T { return old == expected ? x : old; });    \
  }                                                                                                              \
  TWIDDLE_ATOMIC_FUNCTION T atomicCAS_block(T* place, T expected, T x) { return atomicCAS(place, expected, x); } \
  TWIDDLE_ATOMIC_FUNCTION T atomicCAS_system(T* place, T expected, T x) { return atomicCAS(place, expected, x); }
TWIDDLE_ATOMIC_CAS(int)
TWIDDLE_ATOMIC_CAS(unsigned)
TWIDDLE_ATOMIC_CAS(unsigned long long)
TWIDDLE_ATOMIC_CAS(unsigned short)

#undef TWIDDLE_ATOMIC
#undef TWIDDLE_ATOMIC_WORDS
#undef TWIDDLE_ATOMIC_CAS
#undef TWIDDLE_HERE

TWIDDLE_DEVICE void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
TWIDDLE_DEVICE void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
TWIDDLE_DEVICE void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
