// The items of one slot may log operations of different shapes: none may write into another's part of the log.
#include "kernels/catalogue/catalogue.h"
#include "tracer/file/trace_file.h"
#include "tracer/replay/replay.h"
#include "tracer/run/tracer.h"
#include "tracer/runtimes/open_runtime.h"

#include <doctest.h>

#include <filesystem>

using namespace twiddle;

TEST_CASE("work-items that log different things into the same slot do not disturb each other") {
  for (const char* algorithm : {"histogram-local", "histogram-private", "reduce-grid-stride"})
    for (const std::uint64_t n : {1u, 16u, 1000u}) {
      CAPTURE(algorithm);
      CAPTURE(n);
      Request request;
      request.algorithm = algorithm;
      request.n = n;
      request.signal = "random:5";
      const auto file = std::filesystem::temp_directory_path() / "twiddle-mixed-slots.twd";
      std::filesystem::remove(file);
      const auto runtime = open_runtime("opencl", 0);
      {
        TraceWriter writer(file);
        const TraceOutcome outcome = trace_plan(make_plan(request), *runtime, {}, writer);
        CHECK(outcome.lost == 0);
        writer.finish();
      }
      Replay replay(TraceReader::open(file));
      CHECK(replay.check().inconsistent_reads == 0);
      CHECK(replay.check().unexplained == 0);
      replay.for_each(1, replay.info().steps, false, [](const Operation& op) {
        if (op.kind == OperationKind::Atomic) CHECK(op.coefficients[0].component(0) == 1);
        return true;
      });
      std::filesystem::remove(file);
    }
}
