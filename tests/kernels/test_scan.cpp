// scan-hillis-steele and scan-blelloch: prefix sums of any number of values, on OpenCL and on the host.
#include "checked.h"
#include "kernels/catalogue/reference.h"
#include "runtimes/verdict_of.h"
#include "sample.h"
#include "test_support.h"

#include <doctest.h>

#include <string>
#include <vector>

using namespace twiddle;

namespace {

constexpr const char* scans[] = {"scan-hillis-steele", "scan-blelloch"};

Request scan_of(const char* algorithm, std::uint64_t n, const char* kind, std::uint64_t group = 0) {
  Request request;
  request.algorithm = algorithm;
  request.n = n;
  request.more["kind"] = kind;
  request.signal = "random:3";
  if (group > 0) request.group_size = group;
  return request;
}

}  // namespace

TEST_CASE("scans of any number of values, in groups of any size, inclusive and exclusive, are right") {
  for (const char* runtime : {"opencl", "host"}) {
    if (!device_of(runtime)) continue;
    Sample sample(14, runtime == std::string("host") ? 3 : 0);
    for (const char* algorithm : scans)
      for (const char* kind : {"inclusive", "exclusive"})
        for (const std::uint64_t n : {0, 1, 2, 3, 7, 8, 9, 97, 256, 1000})
          for (const std::uint64_t group : {2, 8, 64}) {
            if (n > 300 && group == 2) continue;  // ten levels of sums
            for (const char* type : {"int", "float"}) {
              if (sample.skips()) continue;
              Request request = scan_of(algorithm, n, kind, group);
              request.type = type;
              const Plan plan = make_plan(request);
              const Verdict verdict = verdict_of(plan, *device_of(runtime));
              CAPTURE(runtime);
              CAPTURE(plan.title);
              CAPTURE(group);
              CAPTURE(type);
              CAPTURE(verdict.reason);
              CHECK(verdict.pass);
            }
          }
  }
}

TEST_CASE("scans of 2^20 values are right, of whole numbers and of floats") {
  if (!device_of("opencl")) return;
  Sample sample(1);
  for (const char* algorithm : scans)
    for (const char* type : {"int", "uint", "float"}) {
      if (sample.skips()) continue;
      Request request = scan_of(algorithm, 1 << 20, "inclusive");
      request.type = type;
      const Plan plan = make_plan(request);
      CHECK(plan.launches.size() == 5);  // 4096 or 2048 groups, whose sums are scanned in 16 or 4, and theirs in 1
      const Verdict verdict = verdict_of(plan, *device_of("opencl"));
      CAPTURE(algorithm);
      CAPTURE(verdict.relative_l2);
      CHECK(verdict.pass);
    }
}

TEST_CASE("scans are checked without a finding that says error, whole and of many groups") {
  Sample sample(1);
  for (const char* runtime : {"opencl", "host"}) {
    if (!device_of(runtime)) continue;
    for (const char* algorithm : scans)
      for (const std::uint64_t n : {1, 2, 5, 8, 100})
        for (const std::uint64_t group : {2, 8, 32}) {
          if (sample.skips()) continue;
          const CheckedRun run = checked(make_plan(scan_of(algorithm, n, "inclusive", group)), *device_of(runtime));
          CAPTURE(algorithm);
          CAPTURE(n);
          CHECK_MESSAGE(!run.any_errors(), run.text());
        }
  }
}

TEST_CASE("Hillis and Steele take log2 steps of n additions, Blelloch twice as many steps and 2 (n − 1) additions") {
  if (!device_of("opencl")) return;
  const auto additions = [](const CheckedRun& run) {
    std::vector<std::uint64_t> counts(9);  // by stage
    for (const Segment& segment : run.info.segments)
      if (segment.stage > 0) counts.at(static_cast<std::size_t>(segment.stage)) = segment.items;
    return counts;
  };
  const auto items = [&](const char* algorithm, std::uint64_t group) {
    return additions(checked(make_plan(scan_of(algorithm, 8, "exclusive", group)), *device_of("opencl")));
  };
  CHECK(items("scan-hillis-steele", 8) == std::vector<std::uint64_t>{0, 8, 8, 8, 0, 0, 0, 0, 0});
  CHECK(items("scan-blelloch", 4) == std::vector<std::uint64_t>{0, 4, 2, 1, 1, 1, 2, 4, 0});
}

TEST_CASE("a broken scan is found out, and where it goes wrong") {
  if (!device_of("opencl")) return;
  Plan plan = make_plan(scan_of("scan-blelloch", 16, "exclusive", 4));
  REQUIRE(plan.launches.size() == 3);
  plan.launches.pop_back();  // the offsets are never added
  const CheckedRun run = checked(plan, *device_of("opencl"));
  REQUIRE(run.first(FindingClass::WrongValue) != nullptr);
  CHECK(element_of(run.info, *run.first(FindingClass::WrongValue)) == "y[8]");
}
