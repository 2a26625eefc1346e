// A request: what the items of a sub-group do at the same time, in lockstep, as far as the log shows it.
#pragma once

#include "viewer/document/document.h"

#include <cstdint>
#include <set>
#include <vector>

namespace twiddle {

/// The operations of the other items of an operation's sub-group that come from the same trace line at the same turn, itself
/// included, by ascending item.
std::vector<Operation> request_of(Document& document, const Operation& operation);

inline constexpr std::uint64_t sector_bytes = 32, bank_bytes = 4, bank_count = 32;

/// What one access of a request costs.
struct RequestCost {
  std::uint64_t lanes = 0;           // items that take part
  std::uint64_t bytes = 0;           // different bytes asked for
  std::set<std::uint64_t> elements;  // of the buffer
  std::set<std::uint64_t> sectors;   // of 32 bytes, in global memory: fetched whole
  std::uint64_t passes = 1;          // in local memory: the most different words in one bank
  std::uint64_t fetched() const { return sectors.size() * sector_bytes; }
};
/// Of the `which`-th read, or write, of every operation, where it is of this buffer.
RequestCost cost_of(const TraceInfo& info, const std::vector<Operation>& request, int buffer, int which, bool write);

}  // namespace twiddle
