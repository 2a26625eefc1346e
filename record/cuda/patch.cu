// The device side of the recorder: called by NVIDIA's Sanitizer at each instruction that accesses memory or meets other
// threads. Compiled by the user's nvcc with --compile-as-tools-patch when a program is first recorded.
//
// A warp's lanes make one record together. Its room is taken from one counter with one atomic operation a warp.
//
// There is not one branch here: loads, stores and atomic operations are predicated. A branch needs one of the warp's few
// convergence barriers, which the patched kernel may have in use: with branches, kernels of cuFFT hang or use wrong addresses.
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

// *address where `wanted`, else 0.
static __device__ __forceinline__ uint64_t loaded_if(const uint64_t *address, bool wanted) {
  uint64_t value = 0;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p ld.global.u64 %0, [%1]; }"
               : "+l"(value)
               : "l"(address), "r"((uint32_t)wanted));
  return value;
}

static __device__ __forceinline__ void add_if(uint64_t *counter, uint64_t n, bool wanted) {
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p red.global.add.u64 [%0], %1; }" ::"l"(counter), "l"(n),
               "r"((uint32_t)wanted)
               : "memory");
}

static __device__ __forceinline__ void note_counts_if(LogHead *head, bool wanted) {
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; @p st.global.u64 [%0], 1; }" ::"l"(&head->any_counts),
               "r"((uint32_t)wanted)
               : "memory");
}

// `size` bytes at an address, none of size 0. What a store is about to write is in a copy of the registers that the Sanitizer
// hands over; a load's value is what memory holds now, before the instruction.
#define TW_LOAD(SPACE, ADDRESS)                                                                                     \
  asm volatile("{ .reg .pred p;"                                                                                    \
               "setp.eq.u32 p, %5, 16; @p ld" SPACE ".v4.u32 {%0,%1,%2,%3}, [%4];"                                  \
               "setp.eq.u32 p, %5, 8; @p ld" SPACE ".v2.u32 {%0,%1}, [%4];"                                         \
               "setp.eq.u32 p, %5, 4; @p ld" SPACE ".u32 %0, [%4];"                                                 \
               "setp.eq.u32 p, %5, 2; @p ld" SPACE ".u16 %0, [%4];"                                                 \
               "setp.eq.u32 p, %5, 1; @p ld" SPACE ".u8 %0, [%4]; }"                                                \
               : "+r"(value.word[0]), "+r"(value.word[1]), "+r"(value.word[2]), "+r"(value.word[3])                 \
               : ADDRESS, "r"(size))

static __device__ __forceinline__ void stored(Value &value, const void *data, uint32_t size) {
  // The copy need not be aligned as memory is.
  asm volatile("{ .reg .pred p;"
               "setp.ge.u32 p, %5, 4; @p ld.u32 %0, [%4];"
               "setp.ge.u32 p, %5, 8; @p ld.u32 %1, [%4+4];"
               "setp.ge.u32 p, %5, 16; @p ld.u32 %2, [%4+8]; @p ld.u32 %3, [%4+12];"
               "setp.eq.u32 p, %5, 2; @p ld.u16 %0, [%4];"
               "setp.eq.u32 p, %5, 1; @p ld.u8 %0, [%4]; }"
               : "+r"(value.word[0]), "+r"(value.word[1]), "+r"(value.word[2]), "+r"(value.word[3])
               : "l"(data), "r"(data ? size : 0));
}

static __device__ __forceinline__ void loaded_global(Value &value, const void *address, uint32_t size) {
  TW_LOAD(".global", "l"(address));
}

static __device__ __forceinline__ void loaded_shared(Value &value, uint32_t address, uint32_t size) {
  TW_LOAD(".shared", "r"(address));
}

static __device__ __forceinline__ void record(LogHead *head, uint64_t pc, uint32_t what, uint64_t address, Value value,
                                              uint32_t size, bool asked = true) {
  const uint64_t thread = thread_of_launch();
  const bool present = asked & (head != nullptr);
  const uint64_t first_item = loaded_if(&head->first_item, present), end_item = loaded_if(&head->end_item, present);
  const bool wanted = present & (thread >= first_item) & (thread < end_item);
  const uint32_t active = __activemask(), mask = __ballot_sync(active, wanted);
  const uint32_t first = (__ffs(mask) - 1) & 31, rest = mask & (mask - 1), lanes = __popc(mask);
  const uint32_t rank = __popc(mask & lanes_below());
  const bool leads = wanted & (lane() == first);

  const uint64_t first_address = __shfl_sync(active, address, first);
  const uint64_t second_address = __shfl_sync(active, address, (__ffs(rest ? rest : mask) - 1) & 31);
  const int64_t step = (int64_t)(second_address - first_address), offset = (int64_t)(address - first_address);
  const bool steady = (offset == step * (int64_t)rank) & (step == (int32_t)step);
  const bool all_steady = __all_sync(active, !wanted | steady);
  const bool all_near = __all_sync(active, !wanted | (offset == (int32_t)offset));
  const uint32_t kind = all_steady ? affine : all_near ? offsets : all_addresses;

  const bool with_values = (size != 0) & (loaded_if(&head->without_values, wanted) == 0);
  const uint32_t value_bytes = !with_values ? 0 : size < 4 ? 4 : size;
  const uint32_t address_bytes =
      kind == affine ? 0 : kind == offsets ? (4 * lanes + 15) & ~15u : (8 * lanes + 15) & ~15u;
  const uint32_t bytes = 32 + address_bytes + ((value_bytes * lanes + 15) & ~15u);
  uint64_t base = 0;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %3, 0; @p atom.global.add.u64 %0, [%1], %2; }"
               : "+l"(base)
               : "l"(&head->used), "l"((uint64_t)bytes), "r"((uint32_t)leads)
               : "memory");
  base = __shfl_sync(active, base, first);

  const uint64_t capacity = loaded_if(&head->capacity, wanted);
  const bool fits = wanted & (base + bytes <= capacity);
  char *at = (char *)loaded_if((const uint64_t *)&head->records, wanted) + base;
  const uint64_t start = thread - lane();
  const uint32_t grid = grid_id();
  const uint32_t shape = (31 - __clz(size | 1)) | kind << 4 | (value_bytes ? 1u << 6 : 0u);
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %9, 0;"
               "@p st.global.v4.u32 [%0], {%1,%2,%3,%4};"
               "@p st.global.v4.u32 [%0+16], {%5,%6,%7,%8}; }" ::"l"(at),
               "r"((uint32_t)(pc >> 4)), "r"(mask), "r"((uint32_t)start),
               "r"(((uint32_t)(start >> 32) & 0xffff) | bytes << 16), "r"((uint32_t)first_address),
               "r"((uint32_t)(first_address >> 32)), "r"((uint32_t)step), "r"((grid & 0xffff) | what << 16 | shape << 24),
               "r"((uint32_t)(leads & fits))
               : "memory");
  char *addresses = at + 32, *values = addresses + address_bytes;
  asm volatile("{ .reg .pred p; setp.eq.u32 p, %4, 2; @p st.global.u32 [%0], %2;"
               "setp.eq.u32 p, %4, 1; @p st.global.u64 [%1], %3; }" ::"l"(addresses + 4 * rank),
               "l"(addresses + 8 * rank), "r"((uint32_t)offset), "l"(address),
               "r"(!fits ? 0 : kind == offsets ? 2 : kind == all_addresses ? 1 : 0)
               : "memory");
  asm volatile("{ .reg .pred p; setp.eq.u32 p, %5, 4; @p st.global.u32 [%0], %1;"
               "setp.eq.u32 p, %5, 8; @p st.global.v2.u32 [%0], {%1,%2};"
               "setp.eq.u32 p, %5, 16; @p st.global.v4.u32 [%0], {%1,%2,%3,%4}; }" ::"l"(values + value_bytes * rank),
               "r"(value.word[0]), "r"(value.word[1]), "r"(value.word[2]), "r"(value.word[3]),
               "r"(fits ? value_bytes : 0)
               : "memory");

  // A full log ends with a record of no bytes, and what comes after it is counted.
  const bool lost = leads & !fits;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; @p st.global.v4.u32 [%0], {0,0,0,0}; }" ::"l"(at),
               "r"((uint32_t)(lost & (base + 32 <= capacity)))
               : "memory");
  LaunchCounts *counts = (LaunchCounts *)loaded_if((const uint64_t *)&head->counts, lost);
  add_if(&counts[grid % count_slots].lost, lanes, lost);
  note_counts_if(head, lost);
}

static __device__ __forceinline__ void count(LogHead *head, uint32_t instruction) {
  const uint32_t active = __activemask();
  const bool leads = (head != nullptr) & (lane() == __ffs(active) - 1);
  const bool wanted = leads & (loaded_if(&head->end_item, leads) != 0);
  LaunchCounts *counts = (LaunchCounts *)loaded_if((const uint64_t *)&head->counts, wanted);
  add_if(&counts[grid_id() % count_slots].unlogged[instruction], __popc(active), wanted);
  note_counts_if(head, wanted);
}

#define TW_PATCH extern "C" __device__ __noinline__ Result

TW_PATCH twiddle_global(LogHead *head, uint64_t pc, void *address, uint32_t size, uint32_t flags, const void *data) {
  const uint32_t way = flags & (flag_read | flag_write);
  const bool store = way == flag_write, prefetch = flags & flag_prefetch;
  Value value = {{0, 0, 0, 0}};
  stored(value, data, store ? size : 0);
  loaded_global(value, address, store | prefetch ? 0 : size);
  record(head, pc, store ? global_store : way == flag_read ? global_load : global_atomic, (uint64_t)address, value, size,
         !prefetch);
  return success;
}

TW_PATCH twiddle_shared(LogHead *head, uint64_t pc, void *address, uint32_t size, uint32_t flags, const void *data) {
  const uint32_t way = flags & (flag_read | flag_write), offset = (uint32_t)(uintptr_t)address;
  const bool store = way == flag_write;
  Value value = {{0, 0, 0, 0}};
  stored(value, data, store ? size : 0);
  loaded_shared(value, offset, store ? 0 : size);
  record(head, pc, store ? shared_store : way == flag_read ? shared_load : shared_atomic, offset, value, size);
  return success;
}

TW_PATCH twiddle_copy(LogHead *head, uint64_t pc, void *from, uint32_t to, uint32_t size) {
  Value value = {{0, 0, 0, 0}};  // without a source the copy writes zeros
  loaded_global(value, from, from ? size : 0);
  record(head, pc, copy_load, (uint64_t)from, value, size, from != nullptr);
  record(head, pc, copy_store, to, value, size);
  return success;
}

static __device__ __forceinline__ void mark(LogHead *head, uint64_t pc, What what, uint64_t detail) {
  record(head, pc, what, detail, Value{{0, 0, 0, 0}}, 0);
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
    count(head, N);                                \
    return success;                                          \
  }
TW_COUNT(8)
TW_COUNT(13)
TW_COUNT(17)
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
