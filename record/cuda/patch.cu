// The device side of the recorder: called by NVIDIA's Sanitizer at each instruction that accesses memory or meets other
// threads. Compiled by the user's nvcc with --compile-as-tools-patch when a program is first recorded.
//
// A warp's lanes make one record together. Its room is taken from one counter with one atomic operation a warp; that is less
// than an access costs anyway, and counters for each multiprocessor were no faster.
#include "record_format.h"

using namespace twiddle_cuda;

// As the Sanitizer calls patches. Flags of memory accesses: 1 read, 2 write (both: atomic), 8 prefetch.
enum Result : int { success = 0 };
enum : uint32_t { flag_read = 1, flag_write = 2, flag_prefetch = 8 };

struct Value {
  uint32_t word[4];
};

static __device__ __forceinline__ uint32_t lane() {
  uint32_t value;
  asm("mov.u32 %0, %%laneid;" : "=r"(value));
  return value;
}

static __device__ __forceinline__ uint32_t lanes_below() {
  uint32_t value;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(value));
  return value;
}

static __device__ __forceinline__ uint32_t grid_id() {
  uint64_t value;
  asm volatile("mov.u64 %0, %%gridid;" : "=l"(value));
  return (uint32_t)value;
}

static __device__ __forceinline__ uint64_t thread_of_launch() {
  const uint64_t block = ((uint64_t)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  return block * (blockDim.x * blockDim.y * blockDim.z) + (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x +
         threadIdx.x;
}

static __device__ __forceinline__ void add(uint64_t *counter, uint64_t n) {
  asm volatile("red.global.add.u64 [%0], %1;" ::"l"(counter), "l"(n) : "memory");
}

// What a store is about to write: the Sanitizer hands over a copy of the registers.
static __device__ __forceinline__ Value stored(const void *data, uint32_t size) {
  Value value = {{0, 0, 0, 0}};
  if (!data) return value;
  const uint32_t *words = (const uint32_t *)data;
  if (size >= 4) {
    value.word[0] = words[0];
    if (size >= 8) value.word[1] = words[1];
    if (size >= 16) {
      value.word[2] = words[2];
      value.word[3] = words[3];
    }
  } else if (size == 2) {
    value.word[0] = *(const uint16_t *)data;
  } else {
    value.word[0] = *(const uint8_t *)data;
  }
  return value;
}

// What memory holds now, before the instruction.
#define TW_LOAD(SPACE, ADDRESS)                                                                                      \
  Value value = {{0, 0, 0, 0}};                                                                                      \
  if (size == 8)                                                                                                     \
    asm volatile("ld" SPACE ".v2.u32 {%0,%1}, [%2];" : "=r"(value.word[0]), "=r"(value.word[1]) : ADDRESS);          \
  else if (size == 4)                                                                                                \
    asm volatile("ld" SPACE ".u32 %0, [%1];" : "=r"(value.word[0]) : ADDRESS);                                       \
  else if (size == 16)                                                                                               \
    asm volatile("ld" SPACE ".v4.u32 {%0,%1,%2,%3}, [%4];"                                                           \
                 : "=r"(value.word[0]), "=r"(value.word[1]), "=r"(value.word[2]), "=r"(value.word[3])                \
                 : ADDRESS);                                                                                         \
  else if (size == 2)                                                                                                \
    asm volatile("ld" SPACE ".u16 %0, [%1];" : "=r"(value.word[0]) : ADDRESS);                                       \
  else if (size == 1)                                                                                                \
    asm volatile("ld" SPACE ".u8 %0, [%1];" : "=r"(value.word[0]) : ADDRESS);                                        \
  return value;

static __device__ __forceinline__ Value loaded_global(const void *address, uint32_t size) {
  TW_LOAD(".global", "l"(address))
}

static __device__ __forceinline__ Value loaded_shared(uint32_t address, uint32_t size) {
  TW_LOAD(".shared", "r"(address))
}

static __device__ __forceinline__ void record(LogHead *head, uint64_t pc, What what, uint64_t address, Value value,
                                              uint32_t size) {
  const uint64_t thread = thread_of_launch();
  const bool wanted = thread >= head->first_item && thread < head->end_item;
  const uint32_t mask = __ballot_sync(__activemask(), wanted);
  if (!wanted) return;
  const uint32_t first = __ffs(mask) - 1, rest = mask & (mask - 1), lanes = __popc(mask);
  const uint32_t rank = __popc(mask & lanes_below());
  const uint64_t first_address = __shfl_sync(mask, address, first);
  const uint64_t second_address = __shfl_sync(mask, address, rest ? __ffs(rest) - 1 : first);
  const int64_t step = (int64_t)(second_address - first_address), offset = (int64_t)(address - first_address);
  const bool steady = offset == step * (int64_t)rank && step == (int32_t)step;
  const uint32_t kind = __all_sync(mask, steady)                     ? affine
                        : __all_sync(mask, offset == (int32_t)offset) ? offsets
                                                                      : all_addresses;
  const uint32_t value_bytes = !size || head->without_values ? 0 : size < 4 ? 4 : size;
  const uint32_t address_bytes =
      kind == affine ? 0 : kind == offsets ? (4 * lanes + 15) & ~15u : (8 * lanes + 15) & ~15u;
  const uint32_t bytes = 32 + address_bytes + ((value_bytes * lanes + 15) & ~15u);
  uint64_t base = 0;
  // A generic atomicAdd would be patched code's own path to memory; this is one instruction.
  if (lane() == first)
    asm volatile("atom.global.add.u64 %0, [%1], %2;" : "=l"(base) : "l"(&head->used), "l"((uint64_t)bytes) : "memory");
  base = __shfl_sync(mask, base, first);
  const uint32_t grid = grid_id();
  if (base + bytes <= head->capacity) {
    char *at = head->records + base;
    if (lane() == first) {
      const uint64_t start = thread - lane();
      const uint32_t shape = (31 - __clz(size | 1)) | kind << 4 | (value_bytes ? 1u << 6 : 0u);
      ((uint4 *)at)[0] = make_uint4((uint32_t)(pc >> 4), mask, (uint32_t)start,
                                    ((uint32_t)(start >> 32) & 0xffff) | bytes << 16);
      ((uint4 *)at)[1] = make_uint4((uint32_t)first_address, (uint32_t)(first_address >> 32), (uint32_t)step,
                                    (grid & 0xffff) | what << 16 | shape << 24);
    }
    at += 32;
    if (kind == offsets)
      ((int32_t *)at)[rank] = (int32_t)offset;
    else if (kind == all_addresses)
      ((uint64_t *)at)[rank] = address;
    at += address_bytes;
    if (value_bytes == 4)
      ((uint32_t *)at)[rank] = value.word[0];
    else if (value_bytes == 8)
      ((uint2 *)at)[rank] = make_uint2(value.word[0], value.word[1]);
    else if (value_bytes == 16)
      ((uint4 *)at)[rank] = make_uint4(value.word[0], value.word[1], value.word[2], value.word[3]);
  } else if (lane() == first) {
    if (base + 32 <= head->capacity) ((uint4 *)(head->records + base))[0] = make_uint4(0, 0, 0, 0);
    add(&head->counts[grid % count_slots].lost, lanes);
    head->any_counts = 1;
  }
}

static __device__ __forceinline__ void count(LogHead *head, uint32_t instruction) {
  const uint32_t mask = __activemask();
  if (lane() != __ffs(mask) - 1) return;
  add(&head->counts[grid_id() % count_slots].unlogged[instruction], __popc(mask));
  head->any_counts = 1;
}

#define TW_PATCH extern "C" __device__ __noinline__ Result

TW_PATCH twiddle_global(LogHead *head, uint64_t pc, void *address, uint32_t size, uint32_t flags, const void *data) {
  if (!head || (flags & flag_prefetch)) return success;
  const uint32_t way = flags & (flag_read | flag_write);
  const bool store = way == flag_write;
  record(head, pc, store ? global_store : way == flag_read ? global_load : global_atomic, (uint64_t)address,
         store ? stored(data, size) : loaded_global(address, size), size);
  return success;
}

TW_PATCH twiddle_shared(LogHead *head, uint64_t pc, void *address, uint32_t size, uint32_t flags, const void *data) {
  if (!head) return success;
  const uint32_t way = flags & (flag_read | flag_write), offset = (uint32_t)(uintptr_t)address;
  const bool store = way == flag_write;
  record(head, pc, store ? shared_store : way == flag_read ? shared_load : shared_atomic, offset,
         store ? stored(data, size) : loaded_shared(offset, size), size);
  return success;
}

TW_PATCH twiddle_copy(LogHead *head, uint64_t pc, void *from, uint32_t to, uint32_t size) {
  if (!head) return success;
  Value value = {{0, 0, 0, 0}};  // without a source the copy writes zeros
  if (from) {
    value = loaded_global(from, size);
    record(head, pc, copy_load, (uint64_t)from, value, size);
  }
  record(head, pc, copy_store, to, value, size);
  return success;
}

static __device__ __forceinline__ void mark(LogHead *head, uint64_t pc, What what, uint64_t detail) {
  if (head) record(head, pc, what, detail, Value{{0, 0, 0, 0}}, 0);
}

TW_PATCH twiddle_commit(LogHead *head, uint64_t pc) {
  mark(head, pc, copy_commit, 0);
  return success;
}

TW_PATCH twiddle_wait(LogHead *head, uint64_t pc, uint32_t groups) {
  mark(head, pc, copy_wait, groups);
  return success;
}

TW_PATCH twiddle_barrier(LogHead *head, uint64_t pc, uint32_t, uint32_t threads, uint32_t) {
  mark(head, pc, block_barrier, threads);
  return success;
}

TW_PATCH twiddle_syncwarp(LogHead *head, uint64_t pc, uint32_t lanes) {
  mark(head, pc, warp_barrier, lanes);
  return success;
}

TW_PATCH twiddle_enter(LogHead *head, uint64_t pc) {
  mark(head, pc, block_enter, 0);
  return success;
}

#define TW_COUNT(N)                                          \
  TW_PATCH twiddle_count_##N(LogHead *head, uint64_t) {      \
    if (head) count(head, N);                                \
    return success;                                          \
  }
TW_COUNT(8)
TW_COUNT(13)
TW_COUNT(19)
TW_COUNT(21)
TW_COUNT(22)
TW_COUNT(23)
TW_COUNT(26)
TW_COUNT(27)
TW_COUNT(30)
TW_COUNT(32)
TW_COUNT(35)
TW_COUNT(36)
TW_COUNT(37)
TW_COUNT(38)
