// Atomic functions: they return what was there before. Groups may run on several threads, so these are really atomic.
#pragma once

#include "checks.h"
#include "math.h"

namespace twiddle_host {

template <typename T>
TWIDDLE_UNCHECKED static inline unsigned long long bits_of(const T& value) {
  static_assert(sizeof(T) <= 8, "an atomic operation is on 8 bytes at most");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof value);
  return bits;
}

// `change` gives the new value for the old one, tried until no other item came between, or says that there is none.
template <typename T, typename Change>
TWIDDLE_UNCHECKED static inline T atomically(T* place, Reach reach, Order order, const void* pc, Change change,
                                             bool reads = true) {
  check_atomic(place, sizeof(T), pc);
  T before, after{};
  bool writes;
  __atomic_load(place, &before, __ATOMIC_RELAXED);
  do writes = change(before, after);
  while (writes && !__atomic_compare_exchange(place, &before, &after, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
  Item* item = this_item();
  item->group->writes += writes;
  if (item->logged)
    item->services->atomic(item, {reinterpret_cast<Address>(place), sizeof(T), bits_of(before), bits_of(after), writes,
                                  order, reach, pc, reads});
  return before;
}

}  // namespace twiddle_host

#define TWIDDLE_HERE __builtin_return_address(0)
#define TWIDDLE_ATOMIC_FUNCTION TWIDDLE_UNCHECKED __attribute__((noinline, unused)) static inline

// Named as CUDA names them: plain, and for the group or the whole system. All are relaxed.
#define TWIDDLE_ATOMIC_FOR(name, reach, T, expression)                                                             \
  TWIDDLE_ATOMIC_FUNCTION T name(T* place, T x) {                                                                  \
    return twiddle_host::atomically(place, twiddle_host::Reach::reach, twiddle_host::Order::Relaxed, TWIDDLE_HERE, \
                                    [x](T old, T& next) TWIDDLE_UNCHECKED {                                        \
                                      (void)old;                                                                   \
                                      next = expression;                                                           \
                                      return true;                                                                 \
                                    });                                                                            \
  }
#define TWIDDLE_ATOMIC(name, T, expression)              \
  TWIDDLE_ATOMIC_FOR(name, Device, T, expression)        \
  TWIDDLE_ATOMIC_FOR(name##_block, Block, T, expression) \
  TWIDDLE_ATOMIC_FOR(name##_system, System, T, expression)
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

#define TWIDDLE_ATOMIC_CAS_FOR(name, reach, T)                                                                     \
  TWIDDLE_ATOMIC_FUNCTION T name(T* place, T expected, T x) {                                                      \
    return twiddle_host::atomically(place, twiddle_host::Reach::reach, twiddle_host::Order::Relaxed, TWIDDLE_HERE, \
                                    [=](T old, T& next) TWIDDLE_UNCHECKED {                                        \
                                      next = x;                                                                    \
                                      return old == expected;                                                      \
                                    });                                                                            \
  }
#define TWIDDLE_ATOMIC_CAS(T)                       \
  TWIDDLE_ATOMIC_CAS_FOR(atomicCAS, Device, T)      \
  TWIDDLE_ATOMIC_CAS_FOR(atomicCAS_block, Block, T) \
  TWIDDLE_ATOMIC_CAS_FOR(atomicCAS_system, System, T)
TWIDDLE_ATOMIC_CAS(int)
TWIDDLE_ATOMIC_CAS(unsigned)
TWIDDLE_ATOMIC_CAS(unsigned long long)
TWIDDLE_ATOMIC_CAS(unsigned short)

#undef TWIDDLE_ATOMIC
#undef TWIDDLE_ATOMIC_FOR
#undef TWIDDLE_ATOMIC_WORDS
#undef TWIDDLE_ATOMIC_CAS
#undef TWIDDLE_ATOMIC_CAS_FOR
#undef TWIDDLE_HERE

namespace twiddle_host {
TWIDDLE_DEVICE void fence(Order order, Reach reach, int line) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  Item* item = this_item();
  if (item->logged) item->services->fence(item, order, reach, line);
}
}  // namespace twiddle_host

TWIDDLE_DEVICE void __threadfence(TWIDDLE_LINE) {
  twiddle_host::fence(twiddle_host::Order::Sequential, twiddle_host::Reach::Device, twiddle_line);
}
TWIDDLE_DEVICE void __threadfence_block(TWIDDLE_LINE) {
  twiddle_host::fence(twiddle_host::Order::Sequential, twiddle_host::Reach::Block, twiddle_line);
}
TWIDDLE_DEVICE void __threadfence_system(TWIDDLE_LINE) {
  twiddle_host::fence(twiddle_host::Order::Sequential, twiddle_host::Reach::System, twiddle_line);
}
