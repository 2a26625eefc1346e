// What each line of a kernel cost, against a count by hand of a run's turns.
#include "viewer/graphs/line_counters.h"

#include "traced.h"
#include "tracer/replay/turns.h"

#include <doctest.h>

#include <string>

using namespace twiddle;

namespace {

/// All lines' counts together.
LineCount sum_of(const LineCounters& counters) {
  LineCount sum;
  for (const auto& [at, count] : counters) {
    sum.runs += count.runs, sum.lanes += count.lanes;
    sum.sectors += count.sectors, sum.passes += count.passes;
    sum.min_sectors += count.min_sectors, sum.min_passes += count.min_passes;
  }
  return sum;
}

}  // namespace

TEST_CASE("lines count what the turns of every sub-group cost") {
  for (const char* algorithm : {"fft-radix2", "fft-radix2-local", "reduce-interleaved", "histogram-local"}) {
    CAPTURE(algorithm);
    Document document(traced(algorithm, 128));
    const LineCounters* counters = line_counters(document, 1e9);
    REQUIRE(counters);
    // Every operation is of one line and one lane.
    const LineCount sum = sum_of(*counters);
    CHECK(sum.lanes == document.info().steps);
    // Turn by turn, through the places that the window steps through.
    Replay& replay = *document.replay;
    std::uint64_t sectors = 0, passes = 0, rounds = 0;
    for (TurnPlace at = next_turn(replay, {}), before; at != before; before = at, at = next_turn(replay, at)) {
      const SubGroupTurns turns = turns_at(replay, at.step);
      const TurnRound& round = turns.rounds[turns.round_of(at.step)];
      if (turns.turn_of(at) == round.first_turn) ++rounds;
      std::vector<Operation> operations;
      for (const std::uint64_t step : round.step)
        if (step > 0) operations.push_back(replay.operation(step));
      const TurnAccess access = access_of(round, at.made);
      const int buffer = access_in(operations.front(), access).buffer;
      const RequestCost cost = cost_of(document.info(), operations, buffer, access.which, access.write);
      if (document.info().buffers[static_cast<std::size_t>(buffer)].space == Space::Local)
        passes += static_cast<std::uint64_t>(cost.banks.passes());
      else
        sectors += static_cast<std::uint64_t>(cost.sectors.size());
    }
    CHECK(sum.runs == rounds);
    CHECK(sum.sectors == sectors);
    CHECK(sum.passes == passes);
    CHECK(sum.min_sectors <= sum.sectors);
    CHECK(sum.min_passes <= sum.passes);
  }
}

TEST_CASE("a column of a tile shows its bank passes, and the padded tile does not") {
  const auto worst = [](const char* algorithm) {
    Request request;
    request.algorithm = algorithm;
    Document document(TraceReader::open(traced_file(request)));
    double most = 0;
    const LineCounters* counters = line_counters(document, 1e9);
    REQUIRE(counters);
    for (const auto& [at, count] : *counters)
      if (count.min_passes > 0)
        most = std::max(most, static_cast<double>(count.passes) / static_cast<double>(count.min_passes));
    return most;
  };
  CHECK(worst("gallery/bank-conflict") > 8);
  CHECK(worst("gallery/bank-conflict-right") == 1);
}
