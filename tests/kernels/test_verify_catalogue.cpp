// Every algorithm of the catalogue, run on the first OpenCL device and on the host, and held against the double-precision
// reference.
#include "choices.h"
#include "kernels/catalogue/catalogue.h"
#include "kernels/catalogue/reference.h"
#include "runtimes/opencl_device.h"
#include "runtimes/verdict_of.h"
#include "sample.h"
#include "test_support.h"
#include "tracer/run/tracer.h"
#include "tracer/runtimes/open_runtime.h"

#include <doctest.h>

#include <algorithm>
#include <memory>

using namespace twiddle;

namespace {

void check_verdict(const Request& request, Runtime& runtime = *opencl()) {
  const Plan plan = make_plan(request);
  CAPTURE(plan.title);
  const Verdict verdict = verdict_of(plan, runtime);
  CAPTURE(verdict.relative_l2);
  CAPTURE(verdict.bound);
  CAPTURE(verdict.reason);
  CHECK(verdict.pass);
}

bool is_accepted(const Request& request) {
  return exit_code_of([&] { make_plan(request); }) == ExitCode::good;
}

// A small, a middling and a large size among those that the algorithm takes, smallest first.
std::vector<Request> sizes_of(const Algorithm& algorithm, std::uint64_t most = 65536) {
  std::vector<Request> accepted;
  for (std::uint64_t n : {1, 2, 4, 8, 12, 16, 64, 100, 128, 256, 1000, 1024, 4096, 65536}) {
    Request request;
    request.algorithm = algorithm.id;
    if (n > most) break;
    if (has_parameter(algorithm, "n"))
      request.n = n;
    else
      request.rows = n, request.columns = n;
    if (is_accepted(request)) accepted.push_back(request);
  }
  REQUIRE(accepted.size() >= 3);
  return {accepted.front(), accepted[accepted.size() / 2], accepted.back()};
}

}  // namespace

TEST_CASE("every algorithm is within its bound at three sizes, on random input of several seeds") {
  if (!opencl()) return;
  std::size_t turn = 0;
  for (const Algorithm& algorithm : algorithms()) {
    CAPTURE(algorithm.id);
    Sample sample(3, turn++);  // each at another size
    int seed = 0;
    for (Request request : sizes_of(algorithm)) {
      if (sample.skips()) continue;
      request.signal = "random:" + std::to_string(++seed);
      check_verdict(request);
    }
  }
}

TEST_CASE("every algorithm is within its bound on the host, in several orders of its work-items") {
  int seed = 0;
  std::size_t turn = 0;
  for (const Schedule& schedule : {Schedule{}, {Schedule::Order::Reverse, 0}, {Schedule::Order::Random, 5}}) {
    CAPTURE(to_string(schedule));
    Sample sample(16, 3 * turn++);  // other cases in each order
    HostOptions options;
    options.schedule = schedule;
    const std::unique_ptr<Runtime> host = open_runtime("host", 0, options);
    for (const Algorithm& algorithm : algorithms()) {
      if (std::find(algorithm.runtimes.begin(), algorithm.runtimes.end(), "host") == algorithm.runtimes.end()) continue;
      CAPTURE(algorithm.id);
      for (Request request : sizes_of(algorithm, algorithm.dimensions == 2 ? 16 : 256)) {
        request.signal = "random:" + std::to_string(++seed);
        if (sample.skips()) continue;
        check_verdict(request, *host);
        const bool offered = std::any_of(
            algorithm.parameters.begin(), algorithm.parameters.end(),
            [](const Parameter& p) { return p.name == "method" && p.values.find("cooperative") != std::string::npos; });
        if (!offered) continue;
        request.method = "cooperative";  // OpenCL has no such launch, so this is tested here alone
        check_verdict(request, *host);
      }
    }
  }
}

TEST_CASE("every algorithm is within its bound with every choice that its parameters offer") {
  if (!opencl()) return;
  Sample sample(18);
  for (const Algorithm& algorithm : algorithms()) {
    CAPTURE(algorithm.id);
    Request middle = sizes_of(algorithm)[1];
    middle.signal = "random:9";
    for (Request request : with_each_choice(algorithm, middle)) {
      if (sample.skips()) continue;
      if (!is_accepted(request)) request.n = 64;  // a choice may take powers of two alone
      check_verdict(request);
      if (!has_parameter(algorithm, "inverse")) continue;
      request.inverse = true;
      check_verdict(request);
    }
  }
}

TEST_CASE("fft2d: every method with every transform, on arrays that are not square") {
  if (!opencl()) return;
  Sample sample(8);  // each method, transform and shape
  for (const char* method : {"rows-columns", "transpose", "fused"}) {
    for (const char* transform : {"stockham2", "stockham4", "radix4"}) {
      for (const auto& [rows, columns] : {std::pair<std::uint64_t, std::uint64_t>{4, 64}, {256, 4}, {16, 16}}) {
        if (sample.skips()) continue;
        Request request;
        request.algorithm = "fft2d";
        request.rows = rows;
        request.columns = columns;
        request.method = method;
        request.signal = "random:4";
        if (method != std::string("rows-columns")) request.more["transform"] = transform;
        CAPTURE(method);
        CAPTURE(transform);
        check_verdict(request);
      }
    }
  }
}

TEST_CASE("fft2d-real and fft-radix2-local on arrays that are not square") {
  if (!opencl()) return;
  Request request;
  request.algorithm = "fft2d-real";
  request.signal = "random:5";
  request.rows = 2, request.columns = 64;
  check_verdict(request);
  request.rows = 64, request.columns = 4;
  check_verdict(request);

  request = {};
  request.algorithm = "fft-radix2-local";
  request.signal = "random:6";
  request.n = 32, request.rows = 6;
  request.more["rows-per-group"] = "2";
  request.inverse = true;
  check_verdict(request);
}

TEST_CASE("structured input is within the bound as well: its roundings are not random") {
  if (!opencl()) return;
  Sample sample(18);
  for (const Algorithm& algorithm : algorithms()) {
    CAPTURE(algorithm.id);
    for (const char* signal : {"ramp", "constant", "impulse:1", "square:4"}) {
      if (sample.skips()) continue;
      Request request = sizes_of(algorithm)[1];
      request.signal = signal;
      if (exit_code_of([&] { first_content(make_plan(request), make_plan(request).buffers[0]); }) == ExitCode::good)
        check_verdict(request);
    }
  }
}

TEST_CASE("what takes any number of values takes none and one as well: reductions, scans, histograms") {
  const std::unique_ptr<Runtime> host = open_runtime("host", 0);
  int taking = 0;
  Sample sample(18);
  for (const Algorithm& algorithm : algorithms()) {
    Request nothing;
    nothing.algorithm = algorithm.id;
    nothing.n = 0;
    if (!is_accepted(nothing)) continue;
    ++taking;
    CAPTURE(algorithm.id);
    const auto type_of = std::find_if(algorithm.parameters.begin(), algorithm.parameters.end(),
                                      [](const Parameter& one) { return one.name == "type"; });
    const bool typed = type_of != algorithm.parameters.end();
    for (const std::string& type : typed ? choices(*type_of) : std::vector<std::string>{""}) {
      for (std::uint64_t n : {0, 1, 2, 3, 63, 64, 65, 127, 129, 1000, 4097}) {
        Request request;
        request.algorithm = algorithm.id;
        request.n = n;
        request.group_size = 64;
        request.signal = "random:7";
        if (typed) request.type = type;
        CAPTURE(n);
        if (sample.skips()) continue;
        if (opencl()) check_verdict(request);
        if (n < 200) check_verdict(request, *host);
      }
    }
  }
  CHECK(taking >= 9);
}

TEST_CASE("the bounds at 2^20 points are 3e-7, or 2e-6 with the hardware's sine and cosine") {
  int transforms = 0;
  for (const Algorithm& algorithm : algorithms()) {
    if (!algorithm.id.starts_with("fft")) continue;
    Request request;
    request.algorithm = algorithm.id;
    if (algorithm.dimensions == 2)
      request.rows = request.columns = 1024;
    else
      request.n = 1 << 20;
    if (has_parameter(algorithm, "type")) request.type = "float";
    if (algorithm.id == "fft-radix2-single") request.method = "launches";
    if (!is_accepted(request)) continue;  // rows in local memory end at a group's size
    CAPTURE(algorithm.id);
    ++transforms;
    CHECK(make_plan(request).expect.bound == doctest::Approx(3e-7));
    if (!has_parameter(algorithm, "twiddles")) continue;
    request.twiddles = "native";
    CHECK(make_plan(request).expect.bound == doctest::Approx(2e-6));
  }
  CHECK(transforms == 15);
}
