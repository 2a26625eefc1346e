// Order between work-items that atomic operations make: what one item released and another acquired.
#pragma once

#include "tracer/access/access.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace twiddle {

/// Built from one log when it is first asked. It forgives: an atomic read acquires whether a fence follows it or not, and where
/// values do not tell which write a read saw, it saw the one that is asked for.
class Synchronisation {
 public:
  Synchronisation(const AccessLog& log, std::uint64_t group_size, std::uint64_t sub_group_size);

  struct Place {
    std::uint64_t item = 0, record = 0;
    int epoch = 0;                // barriers of its group before it
    std::uint32_t sub_epoch = 0;  // meetings of its sub-group before it
  };
  using Location = std::pair<std::int32_t, std::uint64_t>;  // buffer, offset
  /// Whether an item released something after `first` that an item acquired before `then`: each of the same item, or of its
  /// group with a barrier between, or of its sub-group with a meeting between. Of one location, `where`, which both touch,
  /// atomics keep an order without releasing anything.
  bool orders(const Place& first, const Place& then, const Location& where) const;

 private:
  struct Sync {
    std::uint64_t item = 0, record = 0;
    int epoch = 0;
    std::uint32_t sub_epoch = 0;
    Location where;
    bool reads = false, writes = false, releases = false;
    std::uint64_t old_value = 0, new_value = 0;
    std::int64_t turn = -1;  // among the read-modify-writes of the location; −1: not known
  };
  void number_turns();
  bool saw(const Sync& read, const Sync& write) const;
  bool same_sub_group(std::uint64_t a, std::uint64_t b) const {
    return a / group_size_ == b / group_size_ && a % group_size_ / sub_group_size_ == b % group_size_ / sub_group_size_;
  }

  std::uint64_t group_size_, sub_group_size_;
  std::vector<Sync> syncs_;
  std::map<std::uint64_t, std::vector<std::size_t>> writes_, reads_;  // by group
  std::map<Location, bool> chained_;  // read-modify-writes follow from one another by their values
};

}  // namespace twiddle
