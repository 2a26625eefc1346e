// Whether one run's values tell all that a launch did, and what it is to be run again on where they do not.
#pragma once

#include "tracer/lift/lift.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace twiddle {

/// What is to be run again on other data, and so often.
struct WantedProbes {
  std::uint64_t runs = 0, first_item = 0, items = 0;
  std::vector<int>
      number_bytes;  // of each buffer asked for: of floating numbers that get other values; 0: it stays as it is
  std::optional<Lifted> lifted;  // what the log's own values tell, where all of it was looked at
};

/// The probes of a launch with this log, in groups of `group_size` items: `runs` of them, or where that is negative as many as
/// open writes take, none where the values tell all. `buffers` are those that may get other values (of TraceInfo::buffers, whose
/// content before the launch `content` gives): of them tables of factors and what is no floating number stay.
WantedProbes wanted_probes(const AccessLog& log, const TraceInfo& info, std::uint64_t group_size, int runs,
                           std::span<const int> buffers,
                           const std::function<std::vector<std::byte>(int buffer)>& content);

}  // namespace twiddle
