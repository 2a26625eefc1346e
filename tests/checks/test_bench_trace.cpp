#include "tracer/bench/bench_trace.h"

#include "collecting_sink.h"
#include "test_support.h"
#include "viewer/control/viewer_bench.h"

#include <doctest.h>
#include <nlohmann/json.hpp>

using namespace twiddle;

TEST_CASE("the benchmark of tracing measures what it says") {
  const auto runtime = any_device();
  TraceBenchOptions options;
  options.n = 1024;
  options.printf_n = 64;
  options.passes = 2;
  double last = 0;
  const TraceBench bench = bench_trace(*runtime, options, [&](double fraction, const Message&) {
    CHECK(fraction >= last);
    last = fraction;
    return true;
  });
  CHECK(last == 1);
  CHECK(bench.butterflies == 512 * 10);
  CHECK(bench.untraced_ns > 0);
  CHECK(bench.values.kernel_ns > 0);
  // Header, two indices, a twiddle; two values read and two written. The first stage logs where it writes as well.
  CHECK(bench.index.device_bytes == doctest::Approx(20 + 8 / 10.0));
  CHECK(bench.values.device_bytes == doctest::Approx(52 + 8 / 10.0));
  CHECK(bench.values.aim == doctest::Approx(1 + 52.8 / 32));
  CHECK(bench.operations == 512 * 10 + 496);  // and the swaps of the bit reversal, whose 32 palindromes stay
  CHECK(bench.file_bytes > 0);
  CHECK(bench.raw_bytes > 40);
  CHECK(bench.zstd_ns > 0);
  CHECK(bench.printf_butterflies == 32 * 6);
  if (runtime->device().kind == "cpu") CHECK(bench.printf_lines == bench.printf_butterflies);

  const auto json = nlohmann::json::parse(bench_json(bench));
  CHECK(json["n"] == 1024);
  CHECK(json["values"]["kernel_ns"] == bench.values.kernel_ns);
  CHECK(json["file"]["operations"] == bench.operations);
  CHECK(contains(bench_text(bench), "N = 1024"));
  CHECK(contains(bench_text(bench), "scaled to N = 1024"));
}

TEST_CASE("the benchmark stops when asked") {
  const auto runtime = any_device();
  TraceBenchOptions options;
  options.n = 64;
  CHECK(contains(sentence_of([&] { bench_trace(*runtime, options, [](double, const Message&) { return false; }); }),
                 "stopped"));
}

TEST_CASE("a device's and a condition's name may have any bytes") {
  TraceBench trace;
  trace.device = "GPU\xff";
  CHECK(nlohmann::json::parse(bench_json(trace))["device"] == "GPU\xEF\xBF\xBD");
  ViewerBench viewer;
  viewer.algorithm = "plan\xff.toml";
  CHECK(nlohmann::json::parse(bench_json(viewer))["algorithm"] == "plan\xEF\xBF\xBD.toml");
}
