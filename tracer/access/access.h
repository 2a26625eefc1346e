// Every load, store, atomic operation and barrier of a launch, as the kernel made them: what a trace is made of when
// nothing but the kernel itself says what it does.
#pragma once

#include "base/message.h"
#include "kernels/plan/plan.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

/// What one record of a log is. An atomic operation that reads and writes is an AtomicLoad of the old value directly followed by an
/// AtomicStore of the new one, of the same item; one that fails (compare and exchange), or only loads, is an AtomicLoad
/// alone. An asynchronous copy is made of CopyLoads, each directly followed by its CopyStore, and lives until the item's
/// CopyWait. Numbered as in trace files: never renumber.
enum class AccessKind : std::uint8_t {
  Load = 0,
  Store,
  AtomicLoad,
  AtomicStore,
  CopyLoad,
  CopyStore,
  CopyWait,  // value: how many of the item's oldest copies are done; 0: all
  Barrier,  // value: the memory it orders, ordered_local | ordered_global; scope: who meets; of a sub-group, the mask of
            // the lanes that take part is in the upper 32 bits (0: all of the sub-group)
  Fence,    // the same, without a meeting
  Exchange,  // a shuffle, vote or match; value: the mask of the lanes that take part (0: all of the sub-group)
};
inline constexpr bool is_read(AccessKind kind) {
  return kind == AccessKind::Load || kind == AccessKind::AtomicLoad || kind == AccessKind::CopyLoad;
}
inline constexpr bool is_write(AccessKind kind) {
  return kind == AccessKind::Store || kind == AccessKind::AtomicStore || kind == AccessKind::CopyStore;
}
inline constexpr bool is_atomic(AccessKind kind) {
  return kind == AccessKind::AtomicLoad || kind == AccessKind::AtomicStore;
}
inline constexpr bool touches_memory(AccessKind kind) { return is_read(kind) || is_write(kind); }

inline constexpr std::uint64_t ordered_local = 1, ordered_global = 2;

/// C11's orders and scopes; CUDA's and OpenCL's map to them. Of barriers, fences and exchanges the scope says who takes part.
enum class MemoryOrder : std::uint8_t { Relaxed = 0, Acquire, Release, AcquireRelease, Sequential };
enum class MemoryScope : std::uint8_t { Item = 0, SubGroup, Group, Device, System };

/// "atomic-load", "acquire-release", "sub-group": as printed, as trace files have them and as the rewriter writes them.
std::string_view name_of(AccessKind kind);
std::string_view name_of(MemoryOrder order);
std::string_view name_of(MemoryScope scope);
/// The kind, order or scope of this name. Throws Error (unreadable) where there is none.
template <typename Enumeration>
Enumeration named(std::string_view name);
template <>
AccessKind named(std::string_view name);
template <>
MemoryOrder named(std::string_view name);
template <>
MemoryScope named(std::string_view name);

/// A place in a kernel's source (or, without one, in its code) that accesses memory or meets other items.
struct AccessSite {
  AccessKind kind = AccessKind::Load;
  Space space = Space::Global;
  ElementType type = ElementType::Int;  // of one component
  std::uint8_t components = 1;          // that the statement accesses together: 4 of a float4, 1 of v[i].x
  std::uint8_t chunk = 4;  // bytes of one record's value, 1 … 8: wide accesses are several records in a row
  MemoryOrder order = MemoryOrder::Relaxed;
  MemoryScope scope = MemoryScope::Device;
  bool is_volatile = false;  // waited for or published so, it counts as a relaxed atomic
  std::string file;          // as the compiler saw it named; empty: the program's own. Of a runtime's sites only
  int source = 0;            // index into TraceInfo::sources
  int line = 0, column = 0;  // from 1; 0: not known
  std::string function;      // that the place is in
  std::string text;          // "x[i + 1]", as written there, at most 200 characters
  std::uint64_t pc = 0;      // of code without a source: bytes from the function's start

  bool operator==(const AccessSite&) const = default;
};

/// Accesses of a run of work-items of one launch. Item i (0 … items() − 1) made the records [begin[i], begin[i + 1]) in
/// this order. All columns have begin.back() entries.
struct AccessLog {
  std::vector<AccessSite> sites;
  std::uint64_t first_item = 0;      // of the launch: groups in order, items of a group in order
  std::vector<std::uint64_t> begin;  // items + 1 entries
  std::vector<std::uint32_t> site;   // index into sites
  std::vector<std::int32_t> buffer;  // index into TraceInfo::buffers; −1: not known, and then `offset` is the address
  std::vector<std::uint64_t>
      offset;  // bytes from the start of the buffer (local: of the group's own; private: of the item's)
  std::vector<std::uint64_t> value;  // `chunk` bytes, little-endian, the rest zero
  std::uint64_t lost = 0;            // records that there was no room for

  std::uint64_t items() const { return begin.empty() ? 0 : begin.size() - 1; }
  std::uint64_t size() const { return site.size(); }
};

/// Something that a runtime could not log, and where: "line 12: images are not logged".
struct Unlogged {
  int source = 0, line = 0;
  std::uint64_t count = 0;  // how often it happened, 0: not known
  Message what;
  bool exchanges = false;  // it would be AccessKind::Exchange: shuffles of a compiled kernel
};

/// What is known of a launch's accesses as a whole. Records count, barriers among them; writes are those to global and local
/// memory that are no atomics.
struct AccessTotals {
  bool logged = false;  // false: the launch ran without; nothing below means anything
  bool lifted = false;  // the launch's operations were found in its accesses, and no trace line named them
  std::uint64_t kept = 0, lost = 0;
  std::uint64_t writes = 0, explained_writes = 0;  // by operations
  std::uint64_t idle_writes = 0;  // beside them: of items whose values reach no result, which nothing explains
  std::uint64_t unresolved = 0;   // kept, whose buffer is not known
  std::vector<Unlogged> unlogged;
  Message reason;  // why the launch ran without, where accesses were asked for; empty: they were not

  /// Whether lanes handed each other values of which the log does not tell: who takes part is not known then, nor when.
  bool lacks_exchanges() const;

  /// Counts a log as kept. False where more than `max` would be kept then: it is lost, and counted so.
  bool keep(const AccessLog& log, std::uint64_t max);
};

/// Memory of a launch that records' addresses may be in.
struct AccessRange {
  Space space = Space::Global;
  std::uint64_t address = 0, bytes = 0;
  int argument =
      -1;  // index into KernelCall::arguments of the buffer or local memory that was handed over; −1: a variable
  int pointer = -1;                     // of an argument that is a struct: which of its pointers
  std::string name;                     // of a variable: "tile"
  std::string function;                 // that declares it; empty: the file
  std::int64_t owner = -1;              // local memory: its group; private memory: its item; −1: of all
  ElementType type = ElementType::Int;  // of a variable's elements, as far as they are of one type
  std::uint64_t element_bytes = 4;      // of a variable
  bool initialised = false;             // a variable with a first value
};

/// What a Runtime hands over: AccessLog with addresses in place of buffers.
struct RawAccesses {
  std::vector<AccessSite> sites;
  std::uint64_t first_item = 0;
  std::vector<std::uint64_t> begin;
  std::vector<std::uint32_t> site;
  std::vector<std::uint64_t> address;
  std::vector<std::uint64_t> value;
  std::vector<AccessRange> ranges;
  std::vector<Unlogged> unlogged;
  std::uint64_t lost = 0;
  std::uint64_t attempted = 0;  // records, lost ones among them
  double device_ns = 0;         // of the launch that logged
};

/// Finds the buffer of each record. `buffer_of` tells which of the trace's buffers a range is; −1: none of them (its
/// records keep their addresses). A record that begins in no range belongs to the nearest range of its space and owner
/// when it is at most `slack` bytes outside of it: then its offset, as a signed number, is outside of the buffer.
AccessLog resolve(RawAccesses&& raw, std::uint64_t group_size, const std::vector<int>& buffer_of,
                  std::uint64_t slack = 1 << 16);

}  // namespace twiddle
