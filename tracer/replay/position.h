// Where a replay is, as users write it: `L2.S3.I5`.
#pragma once

#include "tracer/trace/trace.h"

#include <optional>
#include <string>
#include <string_view>

namespace twiddle {

class TraceSource;

/// Launch, stage, work-item; −1 where left out. `nth` (written `#2`) tells the item's operations within a stage apart. In
/// lockstep (turns.h) a sub-group of the launch, from 0, and its turn, from 1, are in the item's place.
struct Position {
  int launch = -1, stage = -1, epoch = -1;
  std::int64_t item = -1;
  int nth = 1;
  std::int64_t sub_group = -1;
  int turn = -1;
};

/// Reads `L2.S3.I5`, `L2`, `S3.I5`, `L1.E0.S1.I5#2`, `L1.S2.G0.T2` (letters in either case), `start`, `end`, or nothing when it is
/// none of these.
std::optional<Position> parse_position(std::string_view text);

/// The shortest form: what is −1 is left out, and `#1` too.
std::string to_string(const Position& position);
/// Launch, stage (where there is one, else the epoch when it is not 0) and item of an operation.
Position position_of(const Operation& operation);
/// The same with everything that find_step needs to come back to just this step (1 … steps); step 0 has no position.
Position position_of(const TraceSource& trace, std::uint64_t step);

/// The first step at or after this position, e.g. `L3` is the first step of launch 3, `L5.I77` item 77's operation; `start`
/// is 0. An item that did nothing there gives the step of the next item that did. Of a sub-group's turn it is the last of the
/// operations that make it, of a sub-group without a turn its first operation.
/// Throws Error (usage) that says which launches, stages or items there are.
std::uint64_t find_step(const TraceSource& trace, std::string_view position);

}  // namespace twiddle
