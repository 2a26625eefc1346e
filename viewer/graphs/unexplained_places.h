// Where a segment's accesses are that no operation explains, however many they are.
#pragma once

#include "viewer/document/document.h"

#include <cstdint>
#include <vector>

namespace twiddle {

/// Such an access.
struct UnexplainedPlace {
  std::uint64_t item = 0;
  bool write = false;
  int buffer = -1;
  std::uint32_t element = 0;
  auto operator<=>(const UnexplainedPlace&) const = default;
};

/// A row that such a write is in, and its step.
struct UnexplainedRow {
  std::uint64_t row = 0, step = 0;
};

struct UnexplainedPlaces {
  std::vector<UnexplainedPlace> places;  // in order
  std::vector<UnexplainedRow> rows;      // of writes, in order of rows

  bool holds(const UnexplainedPlace& place) const;
};
/// Those of a segment; kept. Null while reading it takes longer than the frame has time for, and where it is too large.
const UnexplainedPlaces* unexplained_places(Document& document, int segment);

}  // namespace twiddle
