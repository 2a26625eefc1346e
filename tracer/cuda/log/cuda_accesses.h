// Warps' records of one CUDA launch as the accesses of its items.
#pragma once

#include "tracer/cuda/log/cubin.h"
#include "tracer/cuda/log/cuda_log.h"
#include "tracer/cuda/log/cuda_records.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace twiddle {

/// A function of a module while the program ran.
struct CudaPlace {
  std::uint64_t pc = 0, bytes = 0;
  std::string name;  // mangled
};

class CudaAccesses {
 public:
  /// Of the items [first_item, first_item + items). `memory`: the allocations, by address.
  CudaAccesses(const CudaLaunch& launch, const Cubin& cubin, const std::vector<CudaPlace>& functions,
               std::vector<AccessRange> memory, std::uint64_t first_item, std::uint64_t items);

  /// A record; those of a warp come in its order. `order`: where it is in the log.
  void add(const CudaLanes& lanes, std::uint64_t order);
  /// `unlogged`: how often which instruction was not logged, by the Sanitizer's numbers.
  RawAccesses finish(const std::map<int, std::uint64_t>& unlogged);

 private:
  struct Entry {
    std::uint64_t item, address, value;
    std::uint32_t site;
  };
  struct Copies {                       // of an item, on their way
    std::vector<std::uint64_t> groups;  // committed: how many each
    std::uint64_t open = 0;
  };
  // What an atomic operation saw at an address, and its store, which is to be completed; or what was read by one who waits.
  struct Seen {
    std::uint64_t order, address, value;
    std::size_t store;  // entry; no_store: none
    bool alone;         // no other lane of the instruction has the address
  };
  static constexpr std::size_t no_store = ~std::size_t(0);

  std::uint32_t site(const CudaLanes& lanes, AccessKind kind, Space space, MemoryScope scope);
  const CubinFunction* describe(AccessSite& site, std::uint64_t pc) const;
  void put(std::uint64_t item, std::uint32_t site, std::uint64_t address, std::uint64_t value) {
    entries_.push_back({item, address, value, site});
  }
  void put_access(std::uint64_t item, std::uint32_t site, const CudaLanes& lanes, std::size_t lane);
  /// Calls act(item, lane) for each lane whose item is asked for.
  template <typename Act>
  void each_item(const CudaLanes& lanes, const Act& act) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(lanes.count); ++i) {
      const std::uint64_t item = lanes.head.thread_low + (std::uint64_t(lanes.head.thread_high) << 32) + lanes.lane[i];
      if (item >= first_ && item - first_ < items_) act(item, i);
    }
  }
  void note_shared(std::uint64_t address, std::uint64_t bytes);
  void add_memory(const CudaLanes& lanes, std::uint64_t order);
  void add_atomic(const CudaLanes& lanes, std::uint64_t order, Space space);
  void add_copy_wait(std::uint64_t item, const CudaLanes& lanes, std::size_t lane);
  bool in_memory(std::uint64_t address) const;
  void complete_atomics();
  void add_shared_ranges();
  void add_fences();
  void guess_types();

  const CudaLaunch& launch_;
  const Cubin& cubin_;
  const std::vector<CudaPlace>& functions_;
  std::vector<AccessRange> memory_;
  std::uint64_t first_, items_;
  RawAccesses raw_;
  std::vector<Entry> entries_;                 // each item's in its order
  std::vector<const CubinFunction*> code_of_;  // of each site; null: not known
  std::vector<Seen> seen_;
  std::map<std::tuple<std::uint32_t, int, std::uint32_t>, std::uint32_t> sites_;
  std::unordered_map<std::uint64_t, Copies> copies_;
  std::uint64_t shared_first_ = ~std::uint64_t(0), shared_end_ = 0;
  std::uint64_t partial_barriers_ = 0, unknown_atomics_ = 0;
};

}  // namespace twiddle
