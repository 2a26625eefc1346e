// Transforms beside the radix-2 ones by decimation in time: in frequency, of mixed radix, of any size, and convolutions.
#include "checked.h"
#include "kernels/catalogue/reference.h"
#include "runtimes/verdict_of.h"
#include "sample.h"
#include "test_support.h"

#include <doctest.h>

#include <complex>
#include <cstring>
#include <string>
#include <vector>

using namespace twiddle;

namespace {

struct Case {
  const char* algorithm;
  std::uint64_t n;
  const char* method = "";
  const char* filter = "";
};

const std::vector<Case> cases = {
    {"fft-dif", 2},
    {"fft-dif", 8},
    {"fft-dif", 512},
    {"fft-mixed", 2},
    {"fft-mixed", 7},
    {"fft-mixed", 12},
    {"fft-mixed", 105},
    {"fft-mixed", 360},
    {"fft-bluestein", 1},
    {"fft-bluestein", 7},
    {"fft-bluestein", 16},
    {"fft-bluestein", 101},
    {"convolve", 1},
    {"convolve", 5, "linear", "echo"},
    {"convolve", 100, "linear", "average"},
    {"convolve", 16, "circular", "edges"},
    {"convolve", 16, "circular", "echo"},
};

Request request_of(const Case& one) {
  Request request;
  request.algorithm = one.algorithm;
  request.n = one.n;
  request.method = one.method;
  if (*one.filter != '\0') request.more["filter"] = one.filter;
  request.signal = "random:4";
  return request;
}

/// The wanted filter by its definition, of the plan's own signal.
std::vector<std::complex<float>> filtered(const std::vector<std::complex<float>>& x, const std::vector<float>& taps,
                                          bool circular) {
  std::vector<std::complex<float>> y(circular ? x.size() : x.size() + taps.size() - 1);
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t t = 0; t < taps.size(); ++t) y[circular ? (i + t) % x.size() : i + t] += taps[t] * x[i];
  return y;
}

std::vector<std::complex<float>> complex_of(const std::vector<std::byte>& bytes) {
  std::vector<std::complex<float>> values(bytes.size() / sizeof(std::complex<float>));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

}  // namespace

TEST_CASE("transforms in frequency, of mixed radix and of any size, forward and back, and convolutions are right") {
  for (const char* runtime : {"opencl", "host"}) {
    if (!device_of(runtime)) continue;
    Sample sample(10, runtime == std::string("host") ? 2 : 0);
    for (const Case& one : cases)
      for (const char* type : {"float", "double"})
        for (const bool inverse : {false, true}) {
          if (sample.skips()) continue;
          Request request = request_of(one);
          request.type = type;
          request.inverse = inverse && std::string(one.algorithm) != "convolve";
          const Plan plan = make_plan(request);
          const Verdict verdict = verdict_of(plan, *device_of(runtime));
          CAPTURE(runtime);
          CAPTURE(plan.title);
          CAPTURE(type);
          CAPTURE(verdict.reason);
          CHECK(verdict.pass);
        }
  }
}

TEST_CASE("they are checked without an error, and every write is explained") {
  for (const char* runtime : {"opencl", "host"}) {
    if (!device_of(runtime)) continue;
    for (const Case& one : cases) {
      const CheckedRun run = checked(make_plan(request_of(one)), *device_of(runtime));
      CAPTURE(runtime);
      CAPTURE(one.algorithm);
      CAPTURE(one.n);
      CAPTURE(run.text());
      CHECK_FALSE(run.any_errors());
      for (const LaunchInfo& launch : run.info.launches) CHECK(launch.unexplained == 0);
    }
  }
}

TEST_CASE("a convolution is what its definition says, around the end or past it") {
  const std::vector<float> echo = {1, 0, 0, 0.5f};
  for (const bool circular : {false, true}) {
    Request request = request_of({"convolve", 8, circular ? "circular" : "linear", "echo"});
    const Plan plan = make_plan(request);
    const RunOutcome outcome = run_plan(plan, *device_of("host"));
    const auto x = complex_of(first_content(plan, plan.buffers[0])), y = complex_of(outcome.buffers.back());
    const auto wanted = filtered(x, echo, circular);
    REQUIRE(y.size() == wanted.size());
    for (std::size_t i = 0; i < y.size(); ++i) CHECK(std::abs(y[i] - wanted[i]) < 1e-6f);
  }
}

TEST_CASE("a wrong turn of decimation in frequency is found, and so is a missing reordering") {
  Plan turned = make_plan(request_of({"fft-dif", 16}));
  turned.launches[1].arguments[2] = int_argument(1);
  const CheckedRun wrong = checked(turned, *device_of("host"));
  CAPTURE(wrong.text());
  CHECK(wrong.first(FindingClass::WrongTwiddle) != nullptr);

  Plan left = make_plan(request_of({"fft-dif", 16}));
  left.launches.pop_back();
  const CheckedRun reversed = checked(left, *device_of("host"));
  CAPTURE(reversed.text());
  REQUIRE(reversed.first(FindingClass::WrongPartner) != nullptr);
  CHECK(reversed.first(FindingClass::WrongPartner)->message.english().find("another order") != std::string::npos);
}

TEST_CASE("a size with another factor is refused with the nearest that have none") {
  Request request = request_of({"fft-mixed", 11});
  CHECK(sentence_of([&] { make_plan(request); }).find("the nearest are 10 and 12; fft-bluestein takes any number") !=
        std::string::npos);
}

TEST_CASE("spans say how many points are merged, in blocks side by side and with reversed addresses") {
  const std::vector<std::pair<const char*, std::vector<std::uint64_t>>> wanted = {
      {"fft-radix2", {2, 4, 8}}, {"fft-radix2-single", {2, 4, 8}}, {"fft-dif", {8, 4, 2}}};
  for (const auto& [algorithm, spans] : wanted) {
    const CheckedRun run = checked(make_plan(request_of({algorithm, 8, ""})), *device_of("host"));
    std::vector<std::uint64_t> found;
    for (const Segment& segment : run.info.segments)
      if (segment.kind == OperationKind::Butterfly) found.push_back(segment.span);
    CAPTURE(algorithm);
    CHECK(found == spans);
  }
}
