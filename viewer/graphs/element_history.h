// Who touched an element: every read and every write of it, in order.
#pragma once

#include "viewer/document/document.h"
#include "viewer/document/flow.h"

#include <cstdint>
#include <vector>

namespace twiddle {

struct ElementAccess {
  std::uint64_t step = 0, item = 0;
  int segment = -1, launch = 0, stage = 0, line = 0;
  bool write = false;
  bool operator==(const ElementAccess&) const = default;
};

struct ElementHistory {
  std::vector<ElementAccess> accesses;  // by step; an operation's reads before its writes
  std::size_t reads = 0, writes = 0;
  bool complete = true;  // false: some segments are not read yet, because that takes longer than the frame has time for
  bool truncated = false;  // there are more than `max_accesses`
  static constexpr std::size_t max_accesses = 1 << 16;
};

/// Of an element, as the trace's operations have it. Segments that follow a formula, or whose rows are indexed, are not decoded
/// but for the operations in question. Nothing where the element is in no row of the trace's flow.
ElementHistory element_history(Document& document, const Place& place);
/// The same, kept: of the latest few places that were asked for.
const ElementHistory& history_of(Document& document, const Place& place);

/// The value that an access read or wrote; nothing when the log does not say, or not in time for this frame.
std::optional<Value> value_of(Document& document, const ElementAccess& access, const Place& place);

}  // namespace twiddle
