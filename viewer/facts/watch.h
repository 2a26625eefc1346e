// What the user watches: the history of an element, and conditions to stop at.
#pragma once

#include <cstdint>
#include <vector>

namespace twiddle {

/// A condition: where it is met is a tick on the scrub bar.
struct StopCondition {
  enum class Kind : std::uint8_t { Touched, Written, Above, NotANumber, Item, Line, Reference, Other };
  Kind kind = Kind::Written;
  int buffer = -1;          // Touched, Written: of this element
  std::uint64_t index = 0;  // … or the item, or the line
  std::uint64_t group = 0;  // of a local array
  double limit = 0;         // Above
  bool on = true;           // whether play and the keys stop at it
  bool operator==(const StopCondition&) const = default;
};

struct Watch {
  // The history of an element, in place of the lanes below the diagram.
  bool history = false;
  int buffer = -1;
  std::uint64_t index = 0, group = 0;
  // Conditions, and the field that takes a new one.
  std::vector<StopCondition> stops;
};

}  // namespace twiddle
