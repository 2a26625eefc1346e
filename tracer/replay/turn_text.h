// Turns as lines of text and JSON: what `print --lockstep` writes.
#pragma once

#include "tracer/replay/turns.h"

#include <functional>
#include <string>

namespace twiddle {

/// Which turns to print: empty fields admit all. An item's are those that it takes part in, an element's those that touch it.
struct TurnFilter {
  std::optional<std::uint64_t> launch, stage, item, element;
};

/// A turn with its operations, those of the round's lanes in order.
struct PrintedTurn {
  const SubGroupTurns& group;
  std::size_t round = 0;
  int turn = 1;
  const std::vector<Operation>& operations;
};

/// Hands out every admitted turn in the order of lockstep: launches, epochs, stages, sub-groups, turns.
void for_each_turn(Replay& replay, const TurnFilter& filter, const std::function<void(const PrintedTurn&)>& each);

/// `L1.S2.G0.T2 turn=2/4 kernel=fft_local line=24 op=butterfly read=2 buffer=s lanes=8/32 elements=2,3,6,7 masked=8-31:no-item
/// passes=2 degree=2`; the costs are those of a sub-group of the device's: sectors and bytes of global memory, passes of local
/// memory, meetings at an atomic.
std::string text_line(const TraceInfo& info, const PrintedTurn& turn);
/// The same as one JSON object (docs/json.md).
std::string json_line(const TraceInfo& info, const PrintedTurn& turn);

}  // namespace twiddle
