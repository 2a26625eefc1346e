// What the catalogue says of launches and epochs, counted in the Plans and in traces.
#include "kernels/catalogue/catalogue.h"
#include "run_program.h"
#include "synthetic_trace.h"
#include "test_support.h"
#include "tracer/file/trace_file.h"
#include "tracer/run/tracer.h"
#include "tracer/runtimes/open_runtime.h"

#include <doctest.h>

#include <map>
#include <memory>
#include <vector>

using namespace twiddle;

namespace {

// Epochs of each launch, as traced.
std::vector<int> epochs(const Request& request, Runtime& runtime) {
  static const synthetic::Folder folder;
  const std::filesystem::path file = folder / "launches.twd";
  {
    TraceWriter writer(file);
    trace_plan(make_plan(request), runtime, {}, writer);
    writer.finish();
  }
  const auto trace = TraceReader::open(file);
  std::vector<int> counts(trace->info().launches.size());
  for (const Segment& segment : trace->info().segments) {
    int& count = counts[segment.launch - 1];
    count = std::max(count, segment.epoch + 1);
  }
  return counts;
}

Request sized(const std::string& algorithm, std::uint64_t n) {
  Request request;
  request.algorithm = algorithm;
  request.n = n;
  return request;
}

Request plane(const std::string& algorithm, std::uint64_t rows, std::uint64_t columns, const std::string& method = {},
              const std::string& transform = {}) {
  Request request;
  request.algorithm = algorithm;
  request.rows = rows;
  request.columns = columns;
  request.method = method;
  if (!transform.empty()) request.more["transform"] = transform;
  return request;
}

std::vector<int> of_one_epoch(std::size_t launches) { return std::vector<int>(launches, 1); }

}  // namespace

TEST_CASE("launches and epochs are as many as the catalogue's formulas say") {
  std::unique_ptr<Runtime> runtime;
  try {
    runtime = open_runtime("opencl", 0);
  } catch (const Error&) { return; }
  const auto check = [&](Request request, const std::vector<int>& expected) {
    CAPTURE(request.algorithm);
    CAPTURE(request.method);
    CHECK(epochs(request, *runtime) == expected);
  };
  const auto with_inverse = [&](Request request, std::vector<int> expected) {
    check(request, expected);
    request.inverse = true;
    expected.push_back(1);
    check(request, expected);
  };
  // N = 64: log2 N = 6, log4 N = 3.
  with_inverse(sized("dft", 5), {1});
  with_inverse(sized("fft-radix2", 64), of_one_epoch(1 + 6));
  with_inverse(sized("fft-radix2-single", 64), {1 + 6});
  Request launches = sized("fft-radix2-single", 64);
  launches.method = "launches";
  with_inverse(launches, of_one_epoch(1 + 6));
  with_inverse(sized("fft-radix2-local", 64), {2 + 6});
  with_inverse(sized("fft-stockham2", 64), of_one_epoch(6));
  with_inverse(sized("fft-stockham4", 64), of_one_epoch(3));
  with_inverse(sized("fft-radix4", 64), of_one_epoch(1 + 3));
  check(sized("fft-real", 64), of_one_epoch(2 + 6));
  with_inverse(plane("fft2d", 16, 64), {2 + 6, 2 + 4});
  with_inverse(plane("fft2d", 16, 64, "fused", "stockham2"), {2 + 4, 2 + 6});
  with_inverse(plane("fft2d", 16, 64, "fused", "radix4"), {2 + 2, 2 + 3});
  with_inverse(plane("fft2d", 16, 64, "transpose", "stockham4"), {2 + 2, 2, 2 + 3, 2});
  with_inverse(plane("fft2d", 16, 64, "transpose", "radix4"), {2 + 2, 2, 1, 2 + 3, 2});
  check(plane("fft2d-real", 16, 64), {1, 2 + 5, 2 + 4, 1});

  // Groups of 8: 100 numbers in 13 groups, 2 and 1; or, with two numbers an item, 7 and 1.
  for (const char* rung : {"reduce-interleaved", "reduce-strided", "reduce-sequential", "reduce-first-add",
                           "reduce-unrolled", "reduce-grid-stride"}) {
    Request request = sized(rung, 100);
    request.group_size = 8;
    const std::string id = rung;
    const std::size_t count = id == "reduce-first-add" || id == "reduce-unrolled" || id == "reduce-grid-stride" ? 2 : 3;
    check(request, std::vector<int>(count, 3 + 2));
    request.n = 0;
    check(request, {});
  }
  check(sized("histogram-local", 1000), {3, 1});
  check(sized("histogram-private", 1000), {3, 1});
  check(sized("histogram-global", 1000), {1});
}

TEST_CASE("fft2d-real says how many operations packing saves, beside the published figures") {
  const TestFolder folder;
  const auto line = [&](std::vector<std::string> arguments, const char* side) {
    for (const char* word : {"fft2d-real", "--rows", side, "--cols", side}) arguments.emplace_back(word);
    const Ran ran = run_program(folder, arguments);
    REQUIRE_MESSAGE(ran.code == 0, ran.err);
    const std::size_t at = ran.out.find("operations saved: ");
    REQUIRE(at != std::string::npos);
    return ran.out.substr(at, ran.out.find('\n', at) - at);
  };
  // Counted: 2.5 MN (log2 MN − 1) + 9 MN operations instead of 5 MN log2 MN.
  const std::string at_128 = "operations saved: 40.714 % counted, 39.286 % by the published 1/2 - 6/(4 log2 MN)";
  CHECK(line({"list"}, "128") == at_128);
  CHECK(line({"list"}, "512") == "operations saved: 42.778 % counted, 41.667 % by the published 1/2 - 6/(4 log2 MN)");
  if (run_program(folder, {"verify", "dft", "--n", "2"}).code == 4) return;  // no device
  CHECK(line({"verify"}, "128") == at_128);
  CHECK(line({"trace", "-o", "real.twd"}, "128") == at_128);
  const Ran traced = run_program(folder, {"verify", "real.twd"});
  CHECK(contains(traced.out, at_128));
}
