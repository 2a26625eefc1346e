// The turn at the cursor: what the lanes of a sub-group do together, and what memory holds then.
#pragma once

#include "tracer/replay/turns.h"
#include "viewer/document/document.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace twiddle {

struct Turn {
  TurnPlace place;
  SubGroupTurns group;
  std::size_t number = 0;  // of the round
  Moment moment;
  TurnAccess access;                   // that is made in this turn
  int buffer = -1;                     // of that access
  RequestCost cost;                    // of all lanes'
  std::vector<Operation> operations;   // of the round, by ascending lane
  std::shared_ptr<const State> state;  // with what this turn writes

  const TurnRound& round() const { return group.rounds[number]; }
  int turn() const { return group.turn_of(place); }
  bool holds(std::uint64_t step) const { return moment.contains(step); }
  std::uint64_t lane(const Operation& operation) const { return operation.item - group.items.first; }
  /// The operation of an item; null when it is masked.
  const Operation* of_item(std::uint64_t item) const;
};

/// Null where the cursor is not in lockstep, and at the start. Kept until the cursor moves.
const Turn* turn_at(Document& document, const Cursor& cursor);

/// Where the cursor is, as positions are written: "L2.S3.I5", "L1.S2.G0.T2", "start".
std::string position_text(Document& document, const Cursor& cursor);

}  // namespace twiddle
