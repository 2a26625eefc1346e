// The work-item that is running, as kernel code sees it: threadIdx and its kin, and the way to the executor.
#pragma once

#include "abi.h"
#include "types.h"

// What belongs to the executor and not to the kernel is not checked like the kernel's own accesses (see hooks.h). It is
// never inlined into what is checked, nor the other way round.
#if defined(__clang__)
#define TWIDDLE_UNCHECKED \
  __attribute__((disable_sanitizer_instrumentation, no_sanitize("thread"), no_sanitize("undefined")))
#else
#define TWIDDLE_UNCHECKED __attribute__((no_sanitize("thread"), no_sanitize("undefined")))
#endif

// The last parameter of what waits or ends: the line of its call.
#define TWIDDLE_LINE int twiddle_line = __builtin_LINE()

extern "C" __attribute__((visibility("default"))) twiddle_host::Module twiddle_host_module;

namespace twiddle_host {

TWIDDLE_UNCHECKED static inline Item* this_item() {
  const Address here = reinterpret_cast<Address>(__builtin_frame_address(0));
  return reinterpret_cast<Item*>((here | (stack_bytes - 1)) + 1 - sizeof(Item));
}

// These stay the same while a work-item runs, hence `const`: one call a kernel is enough.
#define TWIDDLE_BUILT_IN(type, name, from)                                               \
  TWIDDLE_UNCHECKED __attribute__((const, noinline, unused)) static inline type name() { \
    const unsigned* v = from;                                                            \
    return {v[0], v[1], v[2]};                                                           \
  }
TWIDDLE_BUILT_IN(uint3, thread_index, this_item()->thread)
TWIDDLE_BUILT_IN(uint3, block_index, this_item()->group->block)
TWIDDLE_BUILT_IN(dim3, block_dimensions, this_item()->group->block_dim)
TWIDDLE_BUILT_IN(dim3, grid_dimensions, this_item()->group->grid_dim)
#undef TWIDDLE_BUILT_IN

TWIDDLE_UNCHECKED __attribute__((const, noinline, unused)) static inline unsigned rank_in_block() {
  return this_item()->rank;
}

// ---- What the translated source registers about itself, while the module is loaded ----

template <typename T>
struct pointee {
  static constexpr unsigned bytes = 0;
};
template <typename T>
struct pointee<T*> {
  static constexpr unsigned bytes = sizeof(T);
};
template <>
struct pointee<void*> {
  static constexpr unsigned bytes = 1;
};
template <>
struct pointee<const void*> {
  static constexpr unsigned bytes = 1;
};
template <unsigned... i>
struct indices {};
template <unsigned n, unsigned... i>
struct make_indices : make_indices<n - 1, n - 1, i...> {};
template <unsigned... i>
struct make_indices<0, i...> {
  using type = indices<i...>;
};

// Top-level const and restrict are no part of a function's type, so P is what the arguments really are.
template <typename... P>
struct Signature {
  static constexpr unsigned count = sizeof...(P);
  static inline const Parameter parameters[count + 1] = {{unsigned(sizeof(P)), pointee<P>::bytes}..., {0, 0}};

  template <void (*kernel)(P...), unsigned... i>
  TWIDDLE_UNCHECKED static void call(void* const* arguments, indices<i...>) {
    (void)arguments;
    kernel(*static_cast<P*>(arguments[i])...);
  }
  template <void (*kernel)(P...)>
  TWIDDLE_UNCHECKED static void invoke(void* const* arguments) {
    call<kernel>(arguments, typename make_indices<count>::type());
  }
};
template <typename... P>
Signature<P...> signature_of(void (*)(P...));

struct RegisteredKernel : Kernel {
  template <typename S>
  TWIDDLE_UNCHECKED RegisteredKernel(S, const char* kernel_name, void (*call)(void* const*), const char* names)
      : Kernel{kernel_name, call, S::count, S::parameters, names, twiddle_host_module.kernels} {
    twiddle_host_module.kernels = this;
  }
};

template <typename T>
struct scalar {
  static constexpr Scalar kind = Scalar::Other;
};
#define TWIDDLE_SCALAR(T, name)                  \
  template <>                                    \
  struct scalar<T> {                             \
    static constexpr Scalar kind = Scalar::name; \
  };
TWIDDLE_SCALAR(int, Int)
TWIDDLE_SCALAR(unsigned, UInt)
TWIDDLE_SCALAR(float, Float)
TWIDDLE_SCALAR(double, Double)
TWIDDLE_SCALAR(int2, Int2)
TWIDDLE_SCALAR(uint2, UInt2)
TWIDDLE_SCALAR(float2, Float2)
TWIDDLE_SCALAR(double2, Double2)
TWIDDLE_SCALAR(bool, UChar)
TWIDDLE_SCALAR(char, Char)
TWIDDLE_SCALAR(signed char, Char)
TWIDDLE_SCALAR(unsigned char, UChar)
TWIDDLE_SCALAR(short, Short)
TWIDDLE_SCALAR(unsigned short, UShort)
TWIDDLE_SCALAR(long, Long)
TWIDDLE_SCALAR(unsigned long, ULong)
TWIDDLE_SCALAR(long long, Long)
TWIDDLE_SCALAR(unsigned long long, ULong)
#undef TWIDDLE_SCALAR
template <typename T>
struct scalar<const T> : scalar<T> {};
template <typename T>
struct scalar<volatile T> : scalar<T> {};

template <typename T>
struct element {
  static constexpr Address bytes = sizeof(T);
  static constexpr Scalar kind = scalar<T>::kind;
};
template <typename T>
struct element<T[]> : element<T> {};
template <typename T, Address n>
struct element<T[n]> : element<T> {};
template <typename T>
struct whole {
  static constexpr Address bytes = sizeof(T);
};
template <typename T>
struct whole<T[]> {
  static constexpr Address bytes = 0;
};

template <typename T>
struct writable {
  static constexpr bool value = true;
};
template <typename T>
struct writable<const T> {
  static constexpr bool value = false;
};
template <typename T, Address n>
struct writable<const T[n]> {
  static constexpr bool value = false;
};

template <typename T>
struct RegisteredVariable : Variable {
  static constexpr bool kept = writable<T>::value;
  char copy[kept ? sizeof(T) : 1];

  TWIDDLE_UNCHECKED RegisteredVariable(T& variable, const char* variable_name, bool constant_)
      : Variable{variable_name,
                 reinterpret_cast<Address>(&reinterpret_cast<const volatile char&>(variable)),
                 sizeof(T),
                 element<T>::bytes,
                 element<T>::kind,
                 constant_,
                 kept ? copy : nullptr,
                 twiddle_host_module.variables} {
    if (kept) __builtin_memcpy(copy, reinterpret_cast<const void*>(address), sizeof(T));
    twiddle_host_module.variables = this;
  }
};

// `Tag` names the variable, so that each has a place of its own even where a template makes several of one declaration.
template <typename T, typename Tag>
struct SharedPlace : SharedVariable {
  TWIDDLE_UNCHECKED SharedPlace(bool dynamic_)
      : SharedVariable{Tag::name(), Tag::kernel(), whole<T>::bytes,  element<T>::bytes,
                       0,           dynamic_,      element<T>::kind, twiddle_host_module.shared} {
    twiddle_host_module.shared = this;
  }
  static SharedPlace fixed, given;
};
template <typename T, typename Tag>
SharedPlace<T, Tag> SharedPlace<T, Tag>::fixed(false);
template <typename T, typename Tag>
SharedPlace<T, Tag> SharedPlace<T, Tag>::given(true);

// `__shared__ T x` and `extern __shared__ T x[]`: the group's own.
template <typename T, typename Tag>
TWIDDLE_UNCHECKED __attribute__((noinline, const)) T& shared_variable() {
  return *reinterpret_cast<T*>(this_item()->group->shared + SharedPlace<T, Tag>::fixed.offset);
}
template <typename T, typename Tag>
TWIDDLE_UNCHECKED __attribute__((noinline, const)) T& dynamic_shared_variable() {
  return *reinterpret_cast<T*>(this_item()->group->dynamic_shared + SharedPlace<T, Tag>::given.offset);
}

// Arrays of numbers are followed, and of CUDA's vectors of them: each store of theirs is told of.
template <typename T>
struct followed {
  static constexpr bool value = false;
};
template <typename T, Address n>
struct followed<T[n]> : followed<T> {};
template <typename T, Address n>
struct followed<volatile T[n]> : followed<T[n]> {};
#define TWIDDLE_FOLLOWED(T)             \
  template <>                           \
  struct followed<T> {                  \
    static constexpr bool value = true; \
  };
#define TWIDDLE_FOLLOWED_WITH_VECTORS(T, name) \
  TWIDDLE_FOLLOWED(T)                          \
  TWIDDLE_FOLLOWED(name##2)                    \
  TWIDDLE_FOLLOWED(name##3)                    \
  TWIDDLE_FOLLOWED(name##4)
TWIDDLE_FOLLOWED(bool)
TWIDDLE_FOLLOWED(char)
TWIDDLE_FOLLOWED_WITH_VECTORS(signed char, char)
TWIDDLE_FOLLOWED_WITH_VECTORS(unsigned char, uchar)
TWIDDLE_FOLLOWED_WITH_VECTORS(short, short)
TWIDDLE_FOLLOWED_WITH_VECTORS(unsigned short, ushort)
TWIDDLE_FOLLOWED_WITH_VECTORS(int, int)
TWIDDLE_FOLLOWED_WITH_VECTORS(unsigned, uint)
TWIDDLE_FOLLOWED_WITH_VECTORS(long, long)
TWIDDLE_FOLLOWED_WITH_VECTORS(unsigned long, ulong)
TWIDDLE_FOLLOWED_WITH_VECTORS(long long, longlong)
TWIDDLE_FOLLOWED_WITH_VECTORS(unsigned long long, ulonglong)
TWIDDLE_FOLLOWED_WITH_VECTORS(float, float)
TWIDDLE_FOLLOWED_WITH_VECTORS(double, double)
#undef TWIDDLE_FOLLOWED_WITH_VECTORS
#undef TWIDDLE_FOLLOWED

template <typename T, typename Tag>
struct ArrayPlace : PrivateArray {
  TWIDDLE_UNCHECKED ArrayPlace()
      : PrivateArray{
            Tag::name(), Tag::kernel(), sizeof(T), element<T>::bytes, element<T>::kind, 0, twiddle_host_module.arrays} {
    twiddle_host_module.arrays = this;
  }
  static ArrayPlace place;
};
template <typename T, typename Tag>
ArrayPlace<T, Tag> ArrayPlace<T, Tag>::place;

// Beside each array: by its end the array is told of to have ended.
struct ArrayEnd {
  Address array;
};

// Called behind the declaration. That it hands the address on makes the compiler keep the array in memory.
template <typename T, typename Tag>
TWIDDLE_UNCHECKED __attribute__((noinline)) void array_begins(ArrayEnd* end, const volatile void* array) {
  if constexpr (followed<T>::value) {
    end->array = reinterpret_cast<Address>(array);
    Item* item = this_item();
    if (item->logged) item->services->array_begins(item, &ArrayPlace<T, Tag>::place, end->array);
  }
}

// `extern __shared__ T x[]` outside of a function: what x is replaced with finds the group when it is used.
template <typename T, typename Tag>
struct DynamicShared {
  operator T*() const { return dynamic_shared_variable<T[], Tag>(); }
  template <typename U>
  explicit operator U*() const {
    return reinterpret_cast<U*>(static_cast<T*>(*this));
  }
};

}  // namespace twiddle_host

TWIDDLE_UNCHECKED __attribute__((noinline, unused)) static void twiddle_array_ends(const twiddle_host::ArrayEnd* end) {
  twiddle_host::Item* item = twiddle_host::this_item();
  if (item->arrays) item->services->array_ends(item, end->array);
}

#define threadIdx (::twiddle_host::thread_index())
#define blockIdx (::twiddle_host::block_index())
#define blockDim (::twiddle_host::block_dimensions())
#define gridDim (::twiddle_host::grid_dimensions())
static constexpr int warpSize = twiddle_host::warp_size;
