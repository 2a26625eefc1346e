// The operations of a sub-group side by side, as the device issues them: row r holds every lane's r-th operation of one trace
// line.
#pragma once

#include "tracer/cost/sub_group_cost.h"
#include "tracer/trace/operation.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace twiddle {

class WarpRows {
 public:
  struct Row {
    int line = 0;
    Operation first;  // the first lane's
    std::array<SubGroupAccess, 4> read, written;
  };

  /// Adds an operation of the sub-group whose first item this is; items come in order. Of a long loop only the first
  /// `max_rows` operations are kept: the rest costs what they cost.
  void add(const Operation& op, std::uint64_t first_item);
  std::span<const Row> rows() const { return {rows_.data(), used_}; }
  void clear();

 private:
  static constexpr std::size_t max_rows = 1024;
  std::vector<Row> rows_;  // kept for the next sub-group
  std::size_t used_ = 0, place_ = 0;
  std::uint64_t item_ = ~std::uint64_t(0);
};

}  // namespace twiddle
