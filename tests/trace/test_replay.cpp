#include "tracer/file/trace_file.h"
#include "tracer/replay/replay.h"

#include "synthetic_trace.h"

#include <doctest.h>

using namespace twiddle;

TEST_CASE("the end of a replay is what the device held") {
  const synthetic::Folder folder;
  synthetic::Fft<float> fft({.n = 256, .random = true, .block = 50});
  Replay replay(TraceReader::open(fft.write(folder / "a.twd")));
  replay.seek(replay.info().steps);
  const auto expected = fft.bytes(fft.result());
  CHECK(replay.state().bytes(1) == std::vector<std::byte>(expected.begin(), expected.end()));
  CHECK(replay.check().unexplained == 0);
}

TEST_CASE("seeking equals stepping") {
  const synthetic::Folder folder;
  synthetic::Fft<float> fft({.n = 64, .random = true, .block = 10});
  const auto trace = TraceReader::open(fft.write(folder / "a.twd"));
  Replay stepping(trace), seeking(trace, 20000);  // a budget that keeps few checkpoints
  std::vector<std::vector<std::byte>> states[2];
  for (std::uint64_t step = 0; step <= stepping.info().steps; ++step) {
    stepping.seek(step);
    for (int buffer = 0; buffer < 2; ++buffer) states[buffer].push_back(stepping.state().bytes(buffer));
  }
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t step = random() % (stepping.info().steps + 1);
    seeking.seek(step);
    for (int buffer = 0; buffer < 2; ++buffer) REQUIRE(seeking.state().bytes(buffer) == states[buffer][step]);
    if (step > 0) REQUIRE(seeking.operation(step).step == step);
  }
}
