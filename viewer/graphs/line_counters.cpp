#include "viewer/graphs/line_counters.h"

#include "base/error.h"
#include "tracer/replay/turns.h"
#include "viewer/document/background.h"

#include <bit>
#include <memory>
#include <vector>

namespace twiddle {
namespace {

constexpr std::uint64_t max_steps = std::uint64_t(1) << 24;

struct KeptCounters {
  std::unique_ptr<Background<LineCounters>> counting;
};

void add_round(const TraceInfo& info, const TurnRound& round, const std::vector<Operation>& operations,
               LineCount& count) {
  ++count.runs;
  count.lanes += static_cast<std::uint64_t>(std::popcount(round.active));
  for (int turn = 1; turn <= round.turns(); ++turn) {
    const ShapeTraits& shape = traits(round.shape);
    if (shape.reads + shape.writes == 0) continue;
    const TurnAccess access = access_of(round, turn);
    const RequestCost cost =
        cost_of(info, operations, access_in(operations.front(), access).buffer, access.which, access.write);
    if (cost.lanes == 0) continue;
    const BufferInfo* buffer = info.buffer(access_in(operations.front(), access).buffer);
    if (buffer && buffer->space == Space::Local) {
      count.passes += static_cast<std::uint64_t>(cost.banks.passes());
      count.least_passes += static_cast<std::uint64_t>(cost.banks.min_passes());
    } else {
      const std::uint64_t least = (cost.bytes + sector_bytes - 1) / sector_bytes;
      const auto sectors = static_cast<std::uint64_t>(cost.sectors.size());
      count.sectors += sectors, count.least_sectors += least;
      // A run that starts in the middle of a sector needs one more, which is not avoidable.
      count.costly = count.costly || sectors > least + 1;
    }
  }
}

// Opened here, for the file may be gone.
LineCounters count_lines(const std::shared_ptr<const TraceSource>& shared, const std::atomic<bool>& stop) {
  LineCounters counters;
  if (shared->info().steps > max_steps) return counters;
  try {
    const auto trace = shared->another();
    const TraceInfo& info = trace->info();
    Replay replay(trace);
    std::vector<Operation> operations;
    for (std::uint64_t step = 1; step <= info.steps && !stop;) {
      const SubGroupTurns turns = turns_at(replay, step);
      const LaunchInfo* launch = info.launch(info.segments[turns.segment].launch);
      for (const TurnRound& round : turns.rounds) {
        operations.clear();
        for (const std::uint64_t one : round.step)
          if (one > 0) operations.push_back(replay.operation(one));
        if (!operations.empty())
          add_round(info, round, operations, counters[{launch ? launch->source : 0, round.line}]);
      }
      step = turns.last_step + 1;
    }
  } catch (const Error&) {}  // a damaged file, or one that is gone: the window says so
  return counters;
}

}  // namespace

const LineCounters* line_counters(Document& document, double patience_ms) {
  auto& counting = document.kept<KeptCounters>().counting;
  if (!counting)
    counting = std::make_unique<Background<LineCounters>>(
        [shared = document.trace](const std::atomic<bool>& stop) { return count_lines(shared, stop); });
  return counting->result(patience_ms);
}

}  // namespace twiddle
