// Accesses of kernels without trace lines that no operation explains: they stay in the trace as what they are, loads and stores.
#pragma once

#include "tracer/trace/operation.h"
#include "tracer/trace/trace.h"

#include <cstdint>

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

}  // namespace twiddle
