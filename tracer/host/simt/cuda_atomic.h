// cuda::atomic, cuda::atomic_ref and cuda::atomic_thread_fence of libcu++: atomic operations with C++'s orders and CUDA's scopes.
#pragma once

#include "atomics.h"

namespace cuda {

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };

enum memory_order {
  memory_order_relaxed,
  memory_order_consume,
  memory_order_acquire,
  memory_order_release,
  memory_order_acq_rel,
  memory_order_seq_cst
};

namespace implementation {

constexpr twiddle_host::Order order_of(memory_order order) {
  switch (order) {
    case memory_order_relaxed: return twiddle_host::Order::Relaxed;
    case memory_order_consume:
    case memory_order_acquire: return twiddle_host::Order::Acquire;
    case memory_order_release: return twiddle_host::Order::Release;
    case memory_order_acq_rel: return twiddle_host::Order::AcquireRelease;
    case memory_order_seq_cst: break;
  }
  return twiddle_host::Order::Sequential;
}
constexpr twiddle_host::Reach reach_of(thread_scope scope) {
  switch (scope) {
    case thread_scope_system: return twiddle_host::Reach::System;
    case thread_scope_device: return twiddle_host::Reach::Device;
    case thread_scope_block:
    case thread_scope_thread: break;
  }
  return twiddle_host::Reach::Block;
}

// The operations on a place; `Self` knows where it is.
template <typename Self, typename T, thread_scope Scope>
struct operations {
  TWIDDLE_UNCHECKED __attribute__((noinline)) T load(memory_order order = memory_order_seq_cst) const {
    return change(order, __builtin_return_address(0), [](T, T&) TWIDDLE_UNCHECKED { return false; });
  }
  TWIDDLE_UNCHECKED __attribute__((noinline)) void store(T value, memory_order order = memory_order_seq_cst) const {
    change(
        order, __builtin_return_address(0),
        [=](T, T& next) TWIDDLE_UNCHECKED {
          next = value;
          return true;
        },
        false);
  }
  TWIDDLE_UNCHECKED operator T() const { return load(); }

#define TWIDDLE_CHANGES(name, expression)                                                                        \
  TWIDDLE_UNCHECKED __attribute__((noinline)) T name(T value, memory_order order = memory_order_seq_cst) const { \
    return change(order, __builtin_return_address(0), [=](T old, T& next) TWIDDLE_UNCHECKED {                    \
      (void)old;                                                                                                 \
      next = expression;                                                                                         \
      return true;                                                                                               \
    });                                                                                                          \
  }
  TWIDDLE_CHANGES(exchange, value)
  TWIDDLE_CHANGES(fetch_add, old + value)
  TWIDDLE_CHANGES(fetch_sub, old - value)
  TWIDDLE_CHANGES(fetch_and, old& value)
  TWIDDLE_CHANGES(fetch_or, old | value)
  TWIDDLE_CHANGES(fetch_xor, old ^ value)
  TWIDDLE_CHANGES(fetch_min, value < old ? value : old)
  TWIDDLE_CHANGES(fetch_max, old < value ? value : old)
#undef TWIDDLE_CHANGES

  TWIDDLE_UNCHECKED __attribute__((noinline)) bool compare_exchange_strong(
      T& expected, T value, memory_order order = memory_order_seq_cst) const {
    const T wanted = expected;
    bool done = false;
    expected = change(order, __builtin_return_address(0), [&](T old, T& next) TWIDDLE_UNCHECKED {
      next = value;
      return done = old == wanted;
    });
    return done;
  }
  bool compare_exchange_weak(T& expected, T value, memory_order order = memory_order_seq_cst) const {
    return compare_exchange_strong(expected, value, order);
  }
  bool compare_exchange_strong(T& expected, T value, memory_order order, memory_order) const {
    return compare_exchange_strong(expected, value, order);
  }
  bool compare_exchange_weak(T& expected, T value, memory_order order, memory_order) const {
    return compare_exchange_strong(expected, value, order);
  }
  T operator++() const { return fetch_add(1) + 1; }
  T operator++(int) const { return fetch_add(1); }
  T operator--() const { return fetch_sub(1) - 1; }
  T operator--(int) const { return fetch_sub(1); }
  T operator+=(T value) const { return fetch_add(value) + value; }
  T operator-=(T value) const { return fetch_sub(value) - value; }
  void wait(T old, memory_order order = memory_order_seq_cst) const {
    while (load(order) == old) {}
  }
  void notify_one() const {}
  void notify_all() const {}
  static constexpr bool is_lock_free() { return true; }

 private:
  template <typename Change>
  TWIDDLE_UNCHECKED T change(memory_order order, const void* pc, Change how, bool reads = true) const {
    return twiddle_host::atomically(static_cast<const Self*>(this)->place(), reach_of(Scope), order_of(order), pc, how,
                                    reads);
  }
};

}  // namespace implementation

template <typename T, thread_scope Scope = thread_scope_system>
struct atomic : implementation::operations<atomic<T, Scope>, T, Scope> {
  atomic() = default;
  constexpr atomic(T value) : value_(value) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;
  T operator=(T value) {
    this->store(value);
    return value;
  }
  T* place() const { return const_cast<T*>(&value_); }

 private:
  T value_;
};

template <typename T, thread_scope Scope = thread_scope_system>
struct atomic_ref : implementation::operations<atomic_ref<T, Scope>, T, Scope> {
  explicit atomic_ref(T& value) : place_(&value) {}
  atomic_ref(const atomic_ref&) = default;
  T operator=(T value) const {
    this->store(value);
    return value;
  }
  T* place() const { return place_; }

 private:
  T* place_;
};

static inline void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system, TWIDDLE_LINE) {
  if (order != memory_order_relaxed)
    twiddle_host::fence(implementation::order_of(order), implementation::reach_of(scope), twiddle_line);
}

namespace std {
using cuda::memory_order;
using cuda::memory_order_acq_rel;
using cuda::memory_order_acquire;
using cuda::memory_order_consume;
using cuda::memory_order_relaxed;
using cuda::memory_order_release;
using cuda::memory_order_seq_cst;
template <typename T>
using atomic = cuda::atomic<T, thread_scope_system>;
template <typename T>
using atomic_ref = cuda::atomic_ref<T, thread_scope_system>;
}  // namespace std

}  // namespace cuda
