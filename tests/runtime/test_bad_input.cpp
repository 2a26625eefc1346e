// What cannot run is refused with the reason and with what can run: sizes, groups, local memory, precision, and libraries that are not there.
#include "choices.h"
#include "kernels/catalogue/catalogue.h"
#include "runtimes/forwarding_runtime.h"
#include "test_support.h"
#include "tracer/run/tracer.h"
#include "tracer/runtime/launch_limits.h"
#include "tracer/runtimes/open_runtime.h"

#include <doctest.h>

#include <algorithm>
#include <cctype>

using namespace twiddle;

namespace {

// A device that lacks something: passes its work to another one, with a description of its own.
class LesserDevice final : public ForwardingRuntime {
 public:
  explicit LesserDevice(std::unique_ptr<Runtime> real)
      : ForwardingRuntime(std::move(real)), info(ForwardingRuntime::device()) {}
  DeviceInfo info;

  const DeviceInfo& device() const override { return info; }
};

std::string refusal(const Request& request) {
  return exit_code_of([&] { make_plan(request); }) == ExitCode::good ? "" : sentence_of([&] { make_plan(request); });
}

// The sizes that a refusal names: "the nearest are 8 and 16", "the largest is 2^24 = 16777216".
std::vector<std::uint64_t> named_sizes(const std::string& sentence) {
  std::size_t at = std::string::npos;
  for (const char* words : {"the nearest", "the largest", "the smallest"}) at = std::min(at, sentence.find(words));
  std::vector<std::uint64_t> sizes;
  if (at == std::string::npos) return sizes;
  for (std::size_t i = at; i < sentence.size(); ++i) {
    if (std::isdigit(static_cast<unsigned char>(sentence[i])) == 0) continue;
    std::size_t length = 0;
    const std::uint64_t size = std::stoull(sentence.substr(i), &length);
    const bool of_a_power = sentence.compare(i, 2, "2^") == 0 || (i > 0 && sentence[i - 1] == '^');
    if (!of_a_power) sizes.push_back(size);
    i += length;
  }
  return sizes;
}

KernelCall call_of(std::size_t global, std::size_t local) {
  KernelCall call;
  call.kernel = "k";
  call.global[0] = global;
  call.local[0] = local;
  return call;
}

}  // namespace

TEST_CASE("a size that an algorithm does not allow names the nearest that it does, and that one is allowed") {
  int refused = 0;
  for (const Algorithm& algorithm : algorithms())
    for (const std::uint64_t size : {std::uint64_t(0), std::uint64_t(3), std::uint64_t(1000), std::uint64_t(1) << 50})
      for (const char* parameter : {"n", "rows", "cols"}) {
        if (!has_parameter(algorithm, parameter)) continue;
        const auto request = [&](std::uint64_t value) {
          Request one;
          one.algorithm = algorithm.id;
          (*parameter == 'n' ? one.n : *parameter == 'r' ? one.rows : one.columns) = value;
          return one;
        };
        const std::string sentence = refusal(request(size));
        if (sentence.empty()) continue;
        ++refused;
        CAPTURE(algorithm.id);
        CAPTURE(sentence);
        CHECK((contains(sentence, std::string(parameter) + " must be") || contains(sentence, "takes n up to")));
        const std::vector<std::uint64_t> nearest = named_sizes(sentence);
        CHECK_FALSE(nearest.empty());
        for (const std::uint64_t other : nearest) {
          CAPTURE(other);
          CHECK(refusal(request(other)) == "");
        }
      }
  CHECK(refused > 40);
}

TEST_CASE("limits of a device are named, with what was asked for") {
  LaunchLimits limits;
  limits.local_bytes = 49152;
  const auto refused = [&](const KernelCall& call, std::uint64_t local = 0) {
    CHECK(exit_code_of([&] { check_limits(call, limits, local, "a small card"); }) == ExitCode::usage);
    return sentence_of([&] { check_limits(call, limits, local, "a small card"); });
  };
  CHECK(refused(call_of(4096, 2048)) ==
        "kernel k: a work-group of 2048 in dimension 0 is over the 1024 that a small card allows; take a smaller "
        "--group-size");
  CHECK(refused(call_of(256, 256), 65536) ==
        "kernel k needs 65536 bytes of local memory a work-group, and a small card has 49152; take a smaller size or "
        "--group-size");
  KernelCall dynamic = call_of(256, 256);
  dynamic.arguments.push_back({KernelArgument::Local{1024}});
  CHECK(contains(refused(dynamic, 49152), "needs 50176 bytes"));
  limits.kernel_group_items = 128;
  CHECK(contains(refused(call_of(256, 256)), "over the 128 that a small card allows for what this kernel needs"));
  KernelCall square = call_of(64, 64);
  square.global[1] = square.local[1] = 64;
  CHECK(contains(refused(square), "a work-group of 4096 is over the 1024"));
  CHECK_NOTHROW(check_limits(call_of(1024, 128), limits, 49152, "a small card"));
}

TEST_CASE(
    "double precision that a device does not have is said before anything runs, of every algorithm that takes it") {
  LesserDevice device(open_runtime("auto", 0));
  device.info.fp64 = false;
  device.info.name = "a card of singles";
  int refused = 0;
  for (const Algorithm& algorithm : algorithms()) {
    CAPTURE(algorithm.id);
    Request request;
    request.algorithm = algorithm.id;
    request.type = "double";
    if (!refusal(request).empty()) continue;  // has no double at all
    const Plan plan = make_plan(request);
    CHECK(exit_code_of([&] { run_plan(plan, device); }) == ExitCode::usage);
    const std::string sentence = sentence_of([&] { run_plan(plan, device); });
    CAPTURE(sentence);
    CHECK(contains(sentence, "a card of singles has no double precision; take --type float or another device"));
    ++refused;
  }
  CHECK(refused >= 8);
}
