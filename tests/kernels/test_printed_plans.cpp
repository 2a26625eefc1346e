// `twiddle list ALGORITHM --plan`: what it prints is a plan file that runs as it is, and does the same as the entry itself.
#include "kernels/catalogue/catalogue.h"
#include "kernels/catalogue/reference.h"
#include "run_program.h"
#include "runtimes/opencl_device.h"
#include "sample.h"
#include "test_support.h"
#include "tracer/file/trace_file.h"
#include "tracer/replay/diff.h"
#include "tracer/run/tracer.h"
#include "tracer/runtimes/open_runtime.h"

#include <doctest.h>

#include <algorithm>
#include <memory>

using namespace twiddle;

namespace {

std::shared_ptr<const TraceReader> traced(const Plan& plan, Runtime& runtime, const std::string& file) {
  {
    TraceWriter writer(file);
    // By its trace lines alone, as the entry is: only a plan of a user's own has its accesses logged unless told.
    TraceOptions options;
    options.accesses = Accesses::None;
    trace_plan(plan, runtime, options, writer);
    writer.finish();
  }
  return TraceReader::open(file);
}

// Small requests for an entry: as it is, the inverse, and every word that one of its parameters may be.
std::vector<Request> requests_of(const Algorithm& algorithm) {
  Request plain;
  plain.algorithm = algorithm.id;
  plain.signal = "random:3";
  // Two groups that count into the same bins may do so in either order, and log other values each time.
  if (algorithm.id.starts_with("histogram-")) plain.n = 100;
  std::vector<Request> requests{plain};
  for (const Parameter& parameter : algorithm.parameters) {
    if (parameter.name == "inverse") {
      requests.push_back(plain);
      requests.back().inverse = true;
    }
    for (std::size_t begin = 0; parameter.values.find(" | ") != std::string::npos && begin < parameter.values.size();) {
      const std::size_t end = std::min(parameter.values.find(" | ", begin), parameter.values.size());
      const std::string word = parameter.values.substr(begin, end - begin);
      begin = end + 3;
      if (word == "cooperative") continue;  // CUDA's alone
      Request request = plain;
      if (parameter.name == "type")
        request.type = word;
      else if (parameter.name == "twiddles")
        request.twiddles = word;
      else if (parameter.name == "sign")
        request.sign = word;
      else if (parameter.name == "method")
        request.method = word;
      else
        request.more[parameter.name] = word;
      if (parameter.name == "transform") request.method = "transpose";
      requests.push_back(request);
    }
  }
  return requests;
}

bool same_launches(const TraceInfo& first, const TraceInfo& second) {
  return std::equal(first.launches.begin(), first.launches.end(), second.launches.begin(), second.launches.end(),
                    [](const LaunchInfo& a, const LaunchInfo& b) {
                      return a.kernel == b.kernel && a.stage == b.stage && a.label == b.label && a.global == b.global &&
                             a.local == b.local;
                    });
}

// Prints the request's Plan, traces both it and the printed one, and compares the traces.
void check_printed(const Request& request, Runtime& runtime, const TestFolder& folder, const char* extension) {
  const Plan plan = make_plan(request);
  CAPTURE(plan.title);
  const std::string file = folder.file("plan.toml");
  std::ofstream(file) << to_toml(plan, extension);
  Request from_file;
  from_file.algorithm = file;
  const Plan printed = make_plan(from_file);
  CHECK(printed.expect == plan.expect);
  const auto first = traced(plan, runtime, folder.file("first.twd"));
  const auto second = traced(printed, runtime, folder.file("second.twd"));
  CHECK(same_launches(first->info(), second->info()));
  CHECK(first->info().steps == second->info().steps);
  const TraceDiff diff = diff_traces(first, second);
  CHECK(diff.same());
  CHECK(diff.compared == first->info().steps);
  CHECK(diff.notes.empty());
}

}  // namespace

TEST_CASE("every entry's Plan, printed with each of its choices, gives the same trace as the entry") {
  if (!opencl()) return;
  const TestFolder folder;
  Sample sample(18);
  for (const Algorithm& algorithm : algorithms())
    for (const Request& request : requests_of(algorithm))
      if (!sample.skips()) check_printed(request, *opencl(), folder, ".cl");
}

TEST_CASE("the sum and the histogram of nothing have no launch, and can be printed all the same") {
  if (!opencl()) return;
  const TestFolder folder;
  for (const char* algorithm : {"reduce-sequential", "histogram-global", "histogram-local"}) {
    Request request;
    request.algorithm = algorithm;
    request.n = 0;
    check_printed(request, *opencl(), folder, ".cl");
  }
}

TEST_CASE("a Plan printed for CUDA kernels runs on the host, and gives the same trace") {
  const std::unique_ptr<Runtime> host = open_runtime("host", 0);
  const TestFolder folder;
  Request request;
  request.algorithm = "fft-radix4";
  check_printed(request, *host, folder, ".cu");
}

TEST_CASE("list --plan, to a file, to trace, to verify: as one types it") {
  if (!opencl()) return;
  const TestFolder folder;
  const Ran listed =
      run_program(folder, {"list", "fft2d", "--plan", "--rows", "4", "--cols", "8", "--method", "fused"});
  REQUIRE(listed.code == 0);
  std::ofstream(folder.file("mine.toml")) << listed.out;
  const Ran traced = run_program(folder, {"trace", "mine.toml", "--runtime", "opencl"});
  CHECK_MESSAGE(traced.code == 0, traced.err);
  CHECK(run_program(folder, {"trace", "fft2d", "--rows", "4", "--cols", "8", "--method", "fused", "--runtime", "opencl",
                             "-o", "entry.twd"})
            .code == 0);
  CHECK(run_program(folder, {"diff", "mine.twd", "entry.twd"}).code == 0);
  CHECK(run_program(folder, {"verify", "mine.toml", "mine.twd", "--runtime", "opencl"}).code == 0);
}
