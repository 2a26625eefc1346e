// The operations of a sub-group side by side, as the device issues them: row r holds every lane's r-th operation of one trace
// line.
#pragma once

#include "tracer/trace/operation.h"
#include "tracer/trace/trace.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace twiddle {

/// Items of a sub-group. CUDA's warps have 32; devices that do not say are judged by the same number.
inline constexpr std::uint64_t warp_size = 32;

/// Which sub-group of a launch an item belongs to; the last one of a work-group may be short.
struct Warp {
  std::uint64_t first_item = 0, items = 0;
  static Warp of(const LaunchInfo& launch, std::uint64_t item);
  bool holds(std::uint64_t item) const { return item >= first_item && item < first_item + items; }
};

class WarpRows {
 public:
  struct Row {
    int line = 0, lanes = 0;  // lanes: how many take part
    Operation first;          // the first lane's
    std::array<std::uint8_t, warp_size> lane;
    std::array<std::array<std::uint32_t, warp_size>, 4> read, written;  // [access][taking part]: element indices
  };

  /// Adds an operation of the sub-group whose first item this is; items come in order. Of a long loop only the first
  /// `most_rows` operations are kept: the rest costs what they cost.
  void add(const Operation& op, std::uint64_t first_item);
  std::span<const Row> rows() const { return {rows_.data(), used_}; }
  void clear();

 private:
  static constexpr std::size_t most_rows = 1024;
  std::vector<Row> rows_;  // kept for the next sub-group
  std::size_t used_ = 0, place_ = 0;
  std::uint64_t item_ = ~std::uint64_t(0);
};

/// Sorts and leaves each once; returns how many are left. Quick for what is in order already.
std::size_t sort_unique(std::span<std::uint64_t> values);

}  // namespace twiddle
