// Accesses of kernels without trace lines that no operation explains: they stay in the trace as what they are, loads and stores.
#pragma once

#include "tracer/trace/operation.h"
#include "tracer/trace/trace.h"
#include "viewer/document/document.h"

#include <cstdint>
#include <vector>

namespace twiddle {

/// How many of a launch's writes are, but those whose values reach no result.
inline std::uint64_t unexplained_writes(const LaunchInfo& launch) {
  const AccessTotals& accesses = launch.accesses;
  return accesses.lifted && accesses.writes > accesses.explained_writes ? accesses.writes - accesses.explained_writes
                                                                        : 0;
}

/// Whether an operation is such an access. In a launch all of whose writes are explained none is: what is a load or a store there
/// was explained with others, as parts of one value.
inline bool is_unexplained(const TraceInfo& info, const Operation& operation) {
  if (operation.kind != OperationKind::Load && operation.kind != OperationKind::Store) return false;
  const LaunchInfo* launch = info.launch(operation.launch);
  return launch != nullptr && unexplained_writes(*launch) > 0;
}

/// Where such an access is.
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
/// Those of a segment, however many they are; kept. Null while reading it takes longer than the frame has time for, and where it is
/// too large.
const UnexplainedPlaces* unexplained_places(Document& document, int segment);

}  // namespace twiddle
