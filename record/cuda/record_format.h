// What the recorder of CUDA programs writes: the layout that device code, injection library and reader share. Plain C++ that
// nvcc takes too; includes nothing of Twiddle's.
//
// A folder holds events.jsonl, one JSON object a line in the order of the program's calls; module-N.cubin, the code as it was
// loaded; and log-0.bin, log-1.bin …, over which the log's bytes are striped: stripe i of `stripe_bytes` is stripe i / files
// of file i % files. A line {"drain": …} follows the bytes that it names, so that a program killed at any moment leaves
// a readable folder.
#pragma once

#include <stdint.h>

namespace twiddle_cuda {

enum : uint32_t { format_version = 1 };
enum : uint64_t { stripe_bytes = 8u << 20 };

// What a record is. Loads hold what the memory held before the instruction; of atomic operations that is all that is known.
enum What : uint32_t {
  global_load,
  global_store,
  global_atomic,
  shared_load,
  shared_store,
  shared_atomic,
  copy_load,      // of an asynchronous copy: global memory, directly followed by
  copy_store,     // the store to shared memory
  copy_commit,    // ends a group of copies
  copy_wait,      // address: how many groups may still be on their way
  block_barrier,  // address: number of threads that meet, 0: all of the block
  warp_barrier,   // address: mask of the lanes that meet
  block_enter,    // the block begins
  what_count
};

// How a record holds the addresses of its lanes.
enum Addresses : uint32_t {
  all_addresses,  // 8 bytes each
  affine,         // the first lane's, then steps of `step`
  offsets,        // 4 bytes each, signed, from the first lane's
};

// One instruction of one warp. The addresses of the lanes in `mask` follow where there are any, then the values where
// `size_log2` says how many bytes (1 and 2 are kept in 4); both are padded to 16 bytes.
struct WarpRecord {
  uint32_t pc;          // >> 4: instructions are 16 bytes long
  uint32_t mask;        // the lanes that took part
  uint32_t thread_low;  // of the launch, of lane 0: blocks in order, x fastest, and the threads of a block in order
  uint16_t thread_high;
  uint16_t bytes;    // of the whole record, a multiple of 16; 0: the log was full here and ends
  uint64_t address;  // of the first lane in `mask`
  int32_t step;
  uint16_t grid;  // lower bits of %gridid, which names the launch
  uint8_t what;
  uint8_t shape;  // size_log2 | Addresses << 4 | has values << 6
};
static_assert(sizeof(WarpRecord) == 32, "as device code stores it");

enum : uint32_t { max_record_bytes = 32 + 32 * 8 + 32 * 16 };

// Instructions that are counted and not logged, by the numbers that the Sanitizer gives them.
enum : uint32_t { counted_instructions = 48 };

// Counts of launches whose %gridid is the same modulo `count_slots`; so many launches at most are between two drains.
enum : uint32_t { count_slots = 1024 };
struct LaunchCounts {
  uint64_t lost;  // accesses, one a lane
  uint64_t unlogged[counted_instructions - 1];
};

// What every patch is handed: one a context.
struct LogHead {
  uint64_t used;      // bytes asked for: past `capacity` when the log is full
  uint64_t capacity;  // of `records`
  char* records;
  LaunchCounts* counts;
  uint64_t first_item, end_item;  // the items that are logged
  uint64_t any_counts;            // something in `counts` is not zero
  uint64_t without_values;
};

}  // namespace twiddle_cuda
