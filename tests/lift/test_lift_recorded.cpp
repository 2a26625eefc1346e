// The truth test with what devices did: the catalogue's kernels run without their trace lines, every access recorded, and the
// accesses lifted. They are what the trace lines claim of the same launch, one by one.
#include "collecting_sink.h"
#include "kernels/catalogue/catalogue.h"
#include "lift/lift_compare.h"
#include "runtimes/opencl_device.h"
#include "sample.h"
#include "tracer/host/host_runtime.h"
#include "tracer/run/tracer.h"

#include <doctest.h>

#include <algorithm>
#include <map>

using namespace twiddle;

namespace {

// All of a launch's records, of windows that follow one another.
AccessLog joined(const CollectingSink& sink, int launch) {
  AccessLog all;
  all.begin = {0};
  for (const auto& [number, log] : sink.logs) {
    if (number != launch) continue;
    const std::uint64_t before = all.size();
    for (std::uint64_t i = 0; i < log.items(); ++i) all.begin.push_back(before + log.begin[i + 1]);
    all.sites = log.sites;
    all.site.insert(all.site.end(), log.site.begin(), log.site.end());
    all.buffer.insert(all.buffer.end(), log.buffer.begin(), log.buffer.end());
    all.offset.insert(all.offset.end(), log.offset.begin(), log.offset.end());
    all.value.insert(all.value.end(), log.value.begin(), log.value.end());
  }
  return all;
}

// Trace lines claim nothing of the tables of coefficients and of the lists of limits that kernels read on the way. Which
// barriers an operation is between says its epoch; those of a sub-group are no operations of a trace. What an atomic found
// was another value in the run that logged, so that a claim about it may be taken for one about another buffer.
bool compared(const Operation& op) {
  return op.kind != OperationKind::Load && op.kind != OperationKind::Barrier && op.kind != OperationKind::Atomic;
}

void check_recorded(const Request& request, Runtime& runtime) {
  CAPTURE(request.algorithm);
  CAPTURE(request.method);
  CAPTURE(request.n.value_or(request.rows.value_or(0)));
  CAPTURE(runtime.device().runtime);
  CollectingSink sink;
  TraceOptions options;
  options.accesses = Accesses::All;
  trace_plan(make_plan(request), runtime, options, sink);
  std::map<int, std::vector<Operation>> launches;
  for (const Operation& op : sink.operations) launches[op.launch].push_back(op);
  for (const LaunchInfo& launch : sink.ended) {
    CAPTURE(launch.number);
    CAPTURE(launch.kernel);
    CHECK_MESSAGE(launch.accesses.logged, launch.accesses.reason.english());
    if (!launch.accesses.logged) continue;
    std::vector<Operation> claims = std::move(launches[launch.number]);
    lifting::sort_by_item(claims);
    TraceInfo info = sink.info;
    const AccessLog log = joined(sink, launch.number);
    std::vector<Operation> found = lifting::lifted_from(log, info, launch);
    std::erase_if(found, [](const Operation& op) { return !compared(op); });
    std::erase_if(claims, [](const Operation& op) { return !compared(op); });
    // Where a warp meets between two barriers of its group, lines tell of epochs of their own, and accesses of the group's.
    const bool warps_meet = std::any_of(log.sites.begin(), log.sites.end(), [](const AccessSite& site) {
      return site.kind == AccessKind::Barrier && site.scope < MemoryScope::Group;
    });
    for (std::vector<Operation>* operations : {&claims, &found})
      for (Operation& op : *operations)
        if (warps_meet) op.epoch = 0;
    lifting::check_same(info, std::move(claims), found, false);
  }
}

void check_catalogue(const char* name, Runtime& runtime) {
  Sample sample(12, runtime.device().runtime == "host" ? 3 : 0);
  for (const Algorithm& algorithm : algorithms()) {
    if (std::find(algorithm.runtimes.begin(), algorithm.runtimes.end(), name) == algorithm.runtimes.end()) continue;
    // Its numbers go from one item's register to another's, which no access tells of.
    if (algorithm.id == "reduce-shuffle") continue;
    for (const Request& request : lifting::truth_requests(algorithm)) {
      if (request.method == "cooperative" && std::string(name) == "opencl") continue;  // there is no OpenCL C of it
      // On the host the item that asks the copy engine for a tile copies it; the lines say it of the item that needs it.
      if (std::string(name) == "host" && (algorithm.id == "fft-engine" || request.method == "engine")) continue;
      if (!sample.skips()) check_recorded(request, runtime);
    }
  }
}

}  // namespace

TEST_CASE("what PoCL's kernels of the catalogue accessed lifts to what their trace lines say") {
  const std::unique_ptr<Runtime> runtime = any_device();
  check_catalogue("opencl", *runtime);
}

TEST_CASE("what the host's kernels of the catalogue accessed lifts to what their trace lines say") {
  const std::unique_ptr<Runtime> runtime = open_host_runtime({});
  check_catalogue("host", *runtime);
}
