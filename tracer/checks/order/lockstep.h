// Volatile memory that the items of a sub-group exchange values through without a word that they meet, as kernels do that take it
// for granted that a sub-group's items go in step.
#pragma once

#include "tracer/access/access.h"
#include "tracer/trace/trace.h"

#include <cstdint>
#include <vector>

namespace twiddle {

/// By site: volatile loads and stores of local memory at which two items of a sub-group do the same to each other's elements,
/// with no meeting in between. What an item waits for, in the head of a loop or by reading it again, is a flag and none of them.
/// Empty: there are none, or too many accesses to tell.
std::vector<bool> lockstep_sites(const TraceInfo& info, const AccessLog& log, std::uint64_t group_size,
                                 std::uint64_t sub_group_size);

}  // namespace twiddle
