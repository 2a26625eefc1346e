// The rows that a local array's elements take in a diagram: those that are only padding take none, and the halves of an array
// that is used as two buffers in turn share their rows.
#pragma once

#include "tracer/replay/replay.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace twiddle {

struct LocalRows {
  static constexpr std::uint32_t padding = 0xFFFFFFFF;
  std::uint64_t rows = 0;          // of a work-group's own array
  std::vector<std::uint32_t> row;  // by element; padding: it has none
  std::vector<std::uint8_t> part;  // by element: the half that it is in; 0 of an array that has no halves
  std::vector<std::vector<std::uint32_t>> elements;  // by part, then by row
  int parts() const { return static_cast<int>(elements.size()); }
  /// By segment: the part that it reads and the one that it writes; −1: neither half, or both.
  struct Use {
    std::int8_t read = -1, written = -1;
  };
  std::vector<Use> use;
};

/// Of one of the trace's local arrays; null where its elements are rows as they are, or where finding out would mean to decode
/// more than a small trace. Elements are padding when what is left of an array is a power of two, or as many as a
/// global buffer has for each group. Halves are buffers in turn when no segment reads, and none writes, elements of both, and one
/// reads the one and writes the other.
std::shared_ptr<const LocalRows> local_rows(Replay& replay, int buffer);

}  // namespace twiddle
