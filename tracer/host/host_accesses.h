// The log of a launch's accesses, as the host executor's hooks tell of them.
#pragma once

#include "tracer/access/access.h"
#include "tracer/host/simt/abi.h"
#include "tracer/runtime/runtime.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace twiddle {

class HostModule;

/// What a buffer of such elements is; UInt where there is no such type.
ElementType element_type_of(twiddle_host::Scalar scalar);

/// Filled by the one thread that runs the launch's work-items. Items may take turns; each one's records keep their order.
class HostAccessLog {
 public:
  explicit HostAccessLog(const AccessRequest& request);

  bool wants(std::uint64_t item) const { return item - request_.first_item < request_.items; }

  /// An access to memory that can be read, in pieces of 8 bytes at most. A write has not happened yet: its value is what is
  /// there when the item next does anything but read, or at settle().
  void access(std::uint64_t item, const void* pc, AccessKind kind, Space space, twiddle_host::Address address,
              std::uint64_t bytes);
  /// An access to memory that cannot be read, which ends the launch.
  void stray(std::uint64_t item, const void* pc, AccessKind kind, Space space, twiddle_host::Address address,
             std::uint64_t bytes);
  /// A read of an item's own array where nothing was written: `made_up` is where the log has that array.
  void unwritten(std::uint64_t item, const void* pc, twiddle_host::Address made_up, twiddle_host::Address address,
                 std::uint64_t bytes);
  void atomic(std::uint64_t item, Space space, const twiddle_host::AtomicAccess& what);
  /// An asynchronous copy that is there already, of a line of the source; where `from` has no address, of zeros.
  struct Memory {
    Space space = Space::Global;
    twiddle_host::Address address = 0;
  };
  void copy(std::uint64_t item, int line, const Memory& to, const Memory& from, std::uint64_t bytes);
  void fence(std::uint64_t item, int line, twiddle_host::Order order, twiddle_host::Reach reach);
  /// A barrier or exchange in a line of the source; `value` as in access.h.
  void meet(std::uint64_t item, int line, AccessKind kind, MemoryOrder order, MemoryScope scope, std::uint64_t value);
  /// The value of the latest write is there now.
  void settle() {
    if (pending_count_ > 0) settle_pending();
  }

  /// How much there is. And: forgets what came since then, which were reads alone.
  struct Mark {
    std::uint64_t entries = 0, lost = 0;
  };
  Mark mark() {
    settle();
    return {count_, lost_};
  }
  void forget_since(const Mark& mark);

  void add_range(AccessRange range) { ranges_.push_back(std::move(range)); }

  /// Everything, by item, of a launch of so many. The log is empty afterwards.
  RawAccesses take(const HostModule& module, std::uint64_t launch_items);

 private:
  struct Entry {
    std::uint32_t item, site;  // item: counted from the first that is wanted
    std::uint64_t address, value;
  };
  // What makes a site: all else follows from it.
  struct Place {
    const void* pc;
    int line;
    AccessKind kind;
    Space space;
    std::uint8_t components, chunk;
    MemoryOrder order;
    MemoryScope scope;
    bool operator==(const Place&) const = default;
  };
  struct PlaceHash {
    std::size_t operator()(const Place& place) const;
  };

  std::uint32_t site_of(const Place& place);
  Entry* append(std::uint64_t item, std::uint32_t site, std::uint64_t address, std::uint64_t value);
  Entry& entry(std::uint64_t index) { return blocks_[index / block_entries][index % block_entries]; }
  void pieces(std::uint64_t item, const void* pc, AccessKind kind, Space space, twiddle_host::Address address,
              std::uint64_t bytes, bool readable);
  void settle_pending();

  static constexpr std::size_t block_entries = std::size_t(1) << 16;
  static constexpr std::size_t recent_sites = 256;

  const AccessRequest request_;
  const std::uint64_t capacity_;  // entries
  std::vector<std::vector<Entry>> blocks_;
  std::uint64_t count_ = 0, lost_ = 0;
  std::uint64_t pending_first_ = 0, pending_count_ = 0;  // entries whose values the next record finds
  // Of a read as wide as the pending write, directly behind it: its first entry (0: none), and what was where the write goes.
  std::uint64_t copied_first_ = 0;
  std::vector<std::uint64_t> before_copy_;
  std::unordered_map<Place, std::uint32_t, PlaceHash> sites_;
  std::vector<Place> places_;                         // of the sites, in order
  std::array<std::uint32_t, recent_sites> recent_{};  // a site whose hash ends so
  std::vector<AccessRange> ranges_;
};

}  // namespace twiddle
