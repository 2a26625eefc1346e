// What an access pattern costs, as the log shows it: sectors of global memory fetched for the bytes that were asked for, or
// passes through the banks of local memory. Work-items of a sub-group are taken to run in lockstep (viewer/document/request.h).
#pragma once

#include "lessons/run/lesson_run.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace twiddle {

/// The K-th read or write of an operation: "read 1", "write 2"; "read" is the first.
struct AccessName {
  bool write = false;
  int which = 0;  // from 0
};
/// Throws Error (usage).
AccessName parse_access(std::string_view text);

/// Summed over the requests of the sub-groups that are at work at a position.
struct AccessCost {
  std::string buffer;
  bool local = false;             // then passes count, else sectors
  std::uint64_t requests = 0;     // of a sub-group each
  std::uint64_t items = 0;        // that take part
  std::uint64_t used = 0;         // bytes asked for
  std::uint64_t sectors = 0;      // fetched, 32 bytes each
  std::uint64_t passes = 0;       // through the banks
  std::uint64_t fetched() const;  // bytes
  std::uint64_t cost() const { return local ? passes : sectors; }
};
/// Of the sub-group of the operation at `position` ("L1.I3"), or of all of a launch's, stage's or epoch's ("L1.S2"). Throws
/// Error (usage) when nothing is accessed there, or more than one buffer.
AccessCost access_cost(LessonRun& run, const std::string& position, const AccessName& access);

}  // namespace twiddle
