// Every access that kernel code makes to memory is looked at before it happens. The kernel is compiled with
// -fsanitize=thread, which calls a function for each access that the compiler cannot prove to be private, and with
// -fsanitize=bounds,integer-divide-by-zero; the functions called are these, not those of the sanitizers' libraries. They are
// compiled once, without these options, and linked to each kernel.
#pragma once

#include "checks.h"

namespace twiddle_host {

TWIDDLE_UNCHECKED static inline void check(const void* pointer, Address bytes, Touch how, const void* pc) {
  if (!twiddle_host_module.running) return;
  Item* item = this_item();
  const Address address = reinterpret_cast<Address>(pointer);
  const Address own = reinterpret_cast<Address>(item) | (stack_bytes - 1);
  if ((address | (stack_bytes - 1)) == own) {
    if (__builtin_expect(item->arrays != 0, 0)) item->services->array_accessed(item, address, bytes, how, pc);
    return;
  }
  if (!inside(item->group->ranges[item->group->recent], address, bytes)) look_further(item, address, bytes, how, pc);
  const bool write = how == Touch::Write || how == Touch::VolatileWrite;
  if (!write && address == item->last_read) {
    read_again(item, address, pc);
  } else {
    item->last_read = write ? 0 : address;
    item->repeats = 0;
    item->group->writes += write;
  }
  if (__builtin_expect(item->logged, 0)) item->services->accessed(item, address, bytes, how, pc);
}

}  // namespace twiddle_host

// ---- Called by code compiled with -fsanitize=thread ----

#define TWIDDLE_CALLED TWIDDLE_UNCHECKED __attribute__((used))
#define TWIDDLE_ALSO(name, of) TWIDDLE_CALLED void name(void*) __attribute__((alias(of)));
#define TWIDDLE_HOOK(name, bytes, how)                                                    \
  TWIDDLE_CALLED void name(void* p) {                                                     \
    twiddle_host::check(p, bytes, twiddle_host::Touch::how, __builtin_return_address(0)); \
  }
#define TWIDDLE_ACCESS(bytes)                                                               \
  TWIDDLE_HOOK(__tsan_read##bytes, bytes, Read)                                             \
  TWIDDLE_HOOK(__tsan_write##bytes, bytes, Write)                                           \
  TWIDDLE_HOOK(__tsan_volatile_read##bytes, bytes, VolatileRead)                            \
  TWIDDLE_HOOK(__tsan_volatile_write##bytes, bytes, VolatileWrite)                          \
  TWIDDLE_ALSO(__tsan_unaligned_read##bytes, "__tsan_read" #bytes)                          \
  TWIDDLE_ALSO(__tsan_unaligned_write##bytes, "__tsan_write" #bytes)                        \
  TWIDDLE_ALSO(__tsan_unaligned_volatile_read##bytes, "__tsan_volatile_read" #bytes)        \
  TWIDDLE_ALSO(__tsan_unaligned_volatile_write##bytes, "__tsan_volatile_write" #bytes)      \
  TWIDDLE_CALLED void __tsan_read_write##bytes(void* p) {                                   \
    twiddle_host::check(p, bytes, twiddle_host::Touch::Read, __builtin_return_address(0));  \
    twiddle_host::check(p, bytes, twiddle_host::Touch::Write, __builtin_return_address(0)); \
  }                                                                                         \
  TWIDDLE_ALSO(__tsan_unaligned_read_write##bytes, "__tsan_read_write" #bytes)

extern "C" {
TWIDDLE_ACCESS(1)
TWIDDLE_ACCESS(2)
TWIDDLE_ACCESS(4)
TWIDDLE_ACCESS(8)
TWIDDLE_ACCESS(16)
TWIDDLE_CALLED void __tsan_read_range(void* p, long bytes) {
  if (bytes)
    twiddle_host::check(p, static_cast<twiddle_host::Address>(bytes), twiddle_host::Touch::Read,
                        __builtin_return_address(0));
}
TWIDDLE_CALLED void __tsan_write_range(void* p, long bytes) {
  if (bytes)
    twiddle_host::check(p, static_cast<twiddle_host::Address>(bytes), twiddle_host::Touch::Write,
                        __builtin_return_address(0));
}
TWIDDLE_CALLED void* __tsan_memset(void* to, int value, __SIZE_TYPE__ bytes) {
  if (bytes) twiddle_host::check(to, bytes, twiddle_host::Touch::Write, __builtin_return_address(0));
  return __builtin_memset(to, value, bytes);
}
TWIDDLE_CALLED void* __tsan_memmove(void* to, const void* from, __SIZE_TYPE__ bytes) {
  if (bytes) twiddle_host::check(from, bytes, twiddle_host::Touch::Read, __builtin_return_address(0));
  if (bytes) twiddle_host::check(to, bytes, twiddle_host::Touch::Write, __builtin_return_address(0));
  return __builtin_memmove(to, from, bytes);
}
TWIDDLE_CALLED void* __tsan_memcpy(void* to, const void* from, __SIZE_TYPE__ bytes) {
  if (bytes) twiddle_host::check(from, bytes, twiddle_host::Touch::Read, __builtin_return_address(0));
  if (bytes) twiddle_host::check(to, bytes, twiddle_host::Touch::Write, __builtin_return_address(0));
  return __builtin_memmove(to, from, bytes);
}
TWIDDLE_CALLED void __tsan_vptr_update(void* p, void*) { __tsan_write8(p); }
TWIDDLE_CALLED void __tsan_vptr_read(void* p) { __tsan_read8(p); }
TWIDDLE_CALLED void __tsan_init() {}
TWIDDLE_CALLED void __tsan_func_entry(void*) {}
TWIDDLE_CALLED void __tsan_func_exit(void*) {}
}
#undef TWIDDLE_ACCESS
#undef TWIDDLE_HOOK
#undef TWIDDLE_ALSO

// ---- Called by code compiled with -fsanitize=bounds,integer-divide-by-zero: the layouts are the sanitizer's ----

namespace twiddle_host {

struct SourcePlace {
  const char* file;
  unsigned line, column;
};
struct TypeName {
  unsigned short kind, info;  // of an integer: kind 0, info = log2(bits) · 2 + signed
  char name[1];               // "'float2 [256]'", longer than it says
};
struct OutOfBounds {
  SourcePlace place;
  const TypeName *array, *index;
};
struct Overflow {
  SourcePlace place;
  const TypeName* type;
};

TWIDDLE_UNCHECKED __attribute__((unused)) static void out_of_bounds(const void* data, const void* index) {
  const OutOfBounds* what = static_cast<const OutOfBounds*>(data);
  const Address bits = reinterpret_cast<Address>(index);  // up to 64 bits come as they are
  const unsigned width = 1u << (what->index->info >> 1);
  long long value = static_cast<long long>(bits);
  if (width < 64) {
    const unsigned long long ones = (1ull << width) - 1;
    const bool negative = (what->index->info & 1) && (bits >> (width - 1) & 1);
    value = static_cast<long long>(negative ? bits | ~ones : bits & ones);
  }
  // 'int [8]', or with Clang 'our_own_name' (aka 'int[8]').
  const char* array = what->array->name;
  int length = static_cast<int>(__builtin_strlen(array));
  if (const char* known = __builtin_strstr(array, "(aka ")) {
    array = known + 5;
    length = static_cast<int>(__builtin_strlen(array)) - 1;
  }
  char name[256];
  __builtin_snprintf(name, sizeof name, "%.*s", length, array);
  Item* item = this_item();
  item->services->stopped(item, StopReason::IndexOutside, value, name, static_cast<int>(what->place.line));
}

TWIDDLE_UNCHECKED __attribute__((unused)) static void divided_by_zero(const void* data) {
  Item* item = this_item();
  item->services->stopped(item, StopReason::DividesByZero, 0, "",
                          static_cast<int>(static_cast<const Overflow*>(data)->place.line));
}

}  // namespace twiddle_host

extern "C" {
TWIDDLE_CALLED void __ubsan_handle_out_of_bounds(void* data, void* index) { twiddle_host::out_of_bounds(data, index); }
TWIDDLE_CALLED void __ubsan_handle_out_of_bounds_abort(void* data, void* index) {
  twiddle_host::out_of_bounds(data, index);
}
TWIDDLE_CALLED void __ubsan_handle_divrem_overflow(void* data, void*, void*) { twiddle_host::divided_by_zero(data); }
TWIDDLE_CALLED void __ubsan_handle_divrem_overflow_abort(void* data, void*, void*) {
  twiddle_host::divided_by_zero(data);
}
}
#undef TWIDDLE_CALLED
