// What each sub-group (CUDA: warp) did in an interval between barriers: who was idle, and how its items met at atomics.
#pragma once

#include "tracer/replay/replay.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace twiddle {

/// The widest sub-group that there is.
inline constexpr int max_sub_group_items = 64;

/// One sub-group in one segment (launch, epoch, stage) of a trace.
struct SubGroupWork {
  int launch = 0, epoch = 0, stage = 0;
  std::uint64_t group = 0;        // number of its work-group
  std::uint64_t number = 0;       // within the work-group
  std::uint64_t first_item = 0;   // in the trace's numbering …
  std::uint64_t first_local = 0;  // … and in the work-group's
  int items = 0;                  // fewer than the width at the end of a work-group
  std::uint64_t busy = 0;         // bit i: item first_item + i logged an operation
  std::uint64_t operations = 0;
  OperationKind kind = OperationKind::Barrier;  // of most of its operations; Barrier: it logged none

  // The k-th atomics of its items count as made together. Where several items then meet at an element, they take turns.
  std::uint64_t atomics = 0;
  std::uint64_t rounds = 0;  // how often its items made an atomic together
  std::uint64_t turns = 0;   // over all rounds: the most items that met at one element
  std::uint64_t worst = 0;   // the most items that met at one element in one round …
  int buffer = -1;           // … and that element
  std::uint64_t element = 0;

  int busy_items() const;
};

/// Which segments to report: empty fields admit all.
struct SubGroupFilter {
  std::optional<std::uint64_t> launch, stage;
};

/// Hands out every sub-group of every admitted segment, idle ones too, in the trace's order. `width`: items of a
/// sub-group, 1 … 64. A work-group's last sub-group may be smaller.
void for_each_sub_group(Replay& replay, int width, const SubGroupFilter& filter,
                        const std::function<void(const SubGroupWork&)>& each);

/// `launch=1 kernel=histogram_local epoch=1 group=0 sub-group=0 items=0-31 busy=32/32 operations=256 most=load atomics=128
/// rounds=4 contention=2 mean=2.00 at=bins[0]`; items and idle ones (`idle=1-31:2`: every second one) by their numbers in the
/// group.
std::string text_line(const TraceInfo& info, const SubGroupWork& work);
/// The same as one JSON object (docs/json.md).
std::string json_line(const TraceInfo& info, const SubGroupWork& work);

}  // namespace twiddle
