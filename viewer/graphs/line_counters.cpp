#include "viewer/graphs/line_counters.h"

#include "base/error.h"
#include "tracer/replay/turns.h"
#include "viewer/document/background.h"

#include <bit>
#include <memory>
#include <utility>
#include <vector>

namespace twiddle {
namespace {

constexpr std::uint64_t max_steps = std::uint64_t(1) << 24;

struct RunCosts {
  LineCounters lines;
  std::vector<SegmentCosts> segments;
};

struct KeptCounters {
  std::unique_ptr<Background<RunCosts>> counting;
};

void add_round(const TraceInfo& info, const SubGroupTurns& turns, const TurnRound& round,
               const std::vector<Operation>& operations, LineCount& count, SegmentCosts& segment) {
  ++count.runs;
  count.lanes += static_cast<std::uint64_t>(std::popcount(round.active));
  for (int turn = 1; turn <= round.turns(); ++turn) {
    const ShapeTraits& shape = traits(round.shape);
    if (shape.reads + shape.writes == 0) continue;
    const TurnAccess access = access_of(round, turn);
    const int number = access_in(operations.front(), access).buffer;
    const RequestCost cost = cost_of(info, operations, number, access.which, access.write);
    if (cost.lanes == 0) continue;
    AccessCosts::Access one{
        .lanes = cost.lanes, .buffer = number, .place = turns.place_of(round.first_turn + turn - 1)};
    const BufferInfo* buffer = info.buffer(number);
    if (buffer && buffer->space == Space::Local) {
      one.asked = static_cast<std::uint64_t>(cost.banks.passes());
      one.least = static_cast<std::uint64_t>(cost.banks.min_passes());
      count.passes += one.asked, count.min_passes += one.least;
      if (one.asked > 0) segment.passes.add(one, one.asked > one.least);
    } else {
      one.asked = static_cast<std::uint64_t>(cost.sectors.size());
      one.least = (cost.bytes + sector_bytes - 1) / sector_bytes;
      // A run that starts in the middle of a sector needs one more, which is not avoidable.
      const bool costly = one.asked > one.least + 1;
      count.sectors += one.asked, count.min_sectors += one.least;
      count.costly = count.costly || costly;
      segment.sectors.add(one, costly);
    }
  }
}

// Opened here, for the file may be gone.
RunCosts count_costs(const std::shared_ptr<const TraceSource>& shared, const std::atomic<bool>& stop) {
  RunCosts costs;
  if (shared->info().steps > max_steps) return costs;
  try {
    const auto trace = shared->another();
    const TraceInfo& info = trace->info();
    costs.segments.resize(info.segments.size());
    Replay replay(trace);
    std::vector<Operation> operations;
    // Where an access goes is all that counts: values need not be decoded.
    std::shared_ptr<const OperationBlock> block;
    const auto indices_at = [&](std::uint64_t step) {
      if (!block || step < block->first_step || step - block->first_step >= block->count)
        block = replay.indices_of(step);
      return block->operation(info, static_cast<std::uint32_t>(step - block->first_step));
    };
    for (std::uint64_t step = 1; step <= info.steps && !stop;) {
      const SubGroupTurns turns = turns_at(replay, step);
      const LaunchInfo* launch = info.launch(info.segments[turns.segment].launch);
      for (const TurnRound& round : turns.rounds) {
        operations.clear();
        for (const std::uint64_t one : round.step)
          if (one > 0) operations.push_back(indices_at(one));
        if (!operations.empty())
          add_round(info, turns, round, operations, costs.lines[{launch ? launch->source : 0, round.line}],
                    costs.segments[turns.segment]);
      }
      step = turns.last_step + 1;
    }
  } catch (const Error&) {}  // a damaged file, or one that is gone: the window says so
  return costs;
}

const RunCosts* run_costs(Document& document, double patience_ms) {
  auto& counting = document.kept<KeptCounters>().counting;
  if (!counting)
    counting = std::make_unique<Background<RunCosts>>(
        [shared = document.trace](const std::atomic<bool>& stop) { return count_costs(shared, stop); });
  return counting->result(patience_ms);
}

bool is_worse(const AccessCosts::Access& one, const AccessCosts::Access& other) {
  return std::pair(one.avoidable(), one.asked) > std::pair(other.avoidable(), other.asked);
}

}  // namespace

void AccessCosts::add(const Access& access, bool more_than_it_must) {
  const bool first = accesses++ == 0;
  asked += access.asked, least += access.least;
  costly = costly || more_than_it_must;
  if (first || is_worse(access, worst)) worst = access;
}

void AccessCosts::add(const AccessCosts& more) {
  if (more.accesses == 0) return;
  if (accesses == 0 || is_worse(more.worst, worst)) worst = more.worst;
  accesses += more.accesses, asked += more.asked, least += more.least;
  costly = costly || more.costly;
}

const LineCounters* line_counters(Document& document, double patience_ms) {
  const RunCosts* costs = run_costs(document, patience_ms);
  return costs ? &costs->lines : nullptr;
}

const std::vector<SegmentCosts>* segment_costs(Document& document, double patience_ms) {
  const RunCosts* costs = run_costs(document, patience_ms);
  return costs ? &costs->segments : nullptr;
}

}  // namespace twiddle
