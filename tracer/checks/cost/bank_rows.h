// The accesses of a sub-group to local memory, side by side: what its lanes ask of the banks at once.
#pragma once

#include "tracer/checks/access_walk.h"
#include "tracer/cost/sub_group_cost.h"

#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

namespace twiddle {

/// Between two meetings of a sub-group: a lane's first access of a place in the source belongs to the others' first ones, its
/// second to their second ones, and so on.
class BankRows {
 public:
  struct Row {
    AccessSite site;
    int buffer = -1, epoch = 0;
    std::uint64_t item = 0;           // of the first lane
    std::uint64_t element_bytes = 0;  // of `lanes`: all that a lane accesses at once
    SubGroupAccess lanes;
  };

  /// Adds a record of a local array, made by a lane of the sub-group; all of a lane's come in its order. Of a long loop only the
  /// first `max_rows` accesses are kept: the rest costs what they cost.
  void add(const AccessEvent& event, const BufferInfo& buffer, std::uint64_t lane);

  std::span<const Row> rows() const { return rows_; }
  void clear();

 private:
  static constexpr std::size_t max_rows = 4096;
  using Key = std::tuple<std::uint32_t, int, std::uint64_t, std::uint64_t>;  // site, buffer, bytes, which time

  std::vector<Row> rows_;
  std::map<Key, std::size_t> known_;              // → index into rows_
  std::map<std::uint32_t, std::uint64_t> times_;  // of the lane: records of each site
  std::uint64_t item_ = ~std::uint64_t(0);        // whose lane that is
  std::tuple<int, bool, std::uint64_t, std::uint64_t> last_{-1, false, 0,
                                                            0};  // its latest: buffer, write, element, bytes
};

}  // namespace twiddle
