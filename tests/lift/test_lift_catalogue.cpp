// The truth test: the accesses of the catalogue's kernels, without what their trace lines say that they are, lift to what the
// trace lines say, one by one.
#include "kernels/catalogue/catalogue.h"
#include "lift/lift_compare.h"
#include "sample.h"
#include "tracer/run/tracer.h"

#include "collecting_sink.h"

#include <doctest.h>

#include <algorithm>
#include <map>

using namespace twiddle;

namespace {

// What claims read and wrote, as a log: a site for each operand of each line.
class ClaimedAccesses {
 public:
  AccessLog log;

  explicit ClaimedAccesses(std::uint64_t items) : records_(items) {}

  void add(const Operation& op) {
    if (op.kind == OperationKind::Barrier) {
      AccessSite site;
      site.kind = AccessKind::Barrier;
      site.line = op.line;
      records_[op.item].push_back({number_of(site), -1, 0, ordered_local});
      return;
    }
    const bool atomic = op.kind == OperationKind::Atomic;
    for (int r = 0; r < op.reads.size(); ++r)
      access(op, op.reads[r], atomic ? AccessKind::AtomicLoad : AccessKind::Load, r);
    for (int w = 0; w < op.writes.size(); ++w)
      access(op, op.writes[w], atomic ? AccessKind::AtomicStore : AccessKind::Store, 100 + w);
  }
  void finish() {
    log.begin = {0};
    for (const auto& item : records_) {
      for (const Record& record : item) {
        log.site.push_back(record.site);
        log.buffer.push_back(record.buffer);
        log.offset.push_back(record.offset);
        log.value.push_back(record.value);
      }
      log.begin.push_back(log.site.size());
    }
  }

 private:
  struct Record {
    std::uint32_t site;
    std::int32_t buffer;
    std::uint64_t offset, value;
  };

  std::uint32_t number_of(const AccessSite& site) {
    const auto key = std::tuple(int(site.kind), site.line, site.column, int(site.type), int(site.components));
    const auto [at, fresh] = sites_.emplace(key, static_cast<std::uint32_t>(log.sites.size()));
    if (fresh) log.sites.push_back(site);
    return at->second;
  }

  void access(const Operation& op, const Access& what, AccessKind kind, int operand) {
    const ElementTraits& make = traits(what.value.type);
    AccessSite site;
    site.kind = kind;
    site.line = op.line;
    site.column = 1 + operand + 10 * int(op.shape);
    site.type = make.floating ? make.wide ? ElementType::Double : ElementType::Float : what.value.type;
    site.components = static_cast<std::uint8_t>(make.components);
    site.chunk = static_cast<std::uint8_t>(std::min<std::size_t>(make.bytes, 8));
    for (std::size_t at = 0; at < make.bytes; at += site.chunk) {
      Record record{number_of(site), what.buffer, what.index * make.bytes + at, 0};
      std::memcpy(&record.value, what.value.bits.data() + at, site.chunk);
      records_[op.item].push_back(record);
    }
  }

  std::vector<std::vector<Record>> records_;
  std::map<std::tuple<int, int, int, int, int>, std::uint32_t> sites_;
};

void check_launch(const TraceInfo& about, const LaunchInfo& launch, std::vector<Operation> claims) {
  CAPTURE(launch.number);
  CAPTURE(launch.kernel);
  lifting::sort_by_item(claims);
  ClaimedAccesses accesses(launch.items());
  for (const Operation& op : claims) accesses.add(op);
  accesses.finish();
  TraceInfo info = about;
  const std::vector<Operation> found = lifting::lifted_from(accesses.log, info, launch);
  lifting::check_same(info, std::move(claims), found, true);
}

void check_plan(const Request& request) {
  CAPTURE(request.algorithm);
  CAPTURE(request.method);
  CAPTURE(request.n.value_or(request.rows.value_or(0)));
  CollectingSink sink;
  const std::unique_ptr<Runtime> runtime = any_device();
  trace_plan(make_plan(request), *runtime, {}, sink);
  std::map<int, std::vector<Operation>> launches;
  for (const Operation& op : sink.operations) launches[op.launch].push_back(op);
  for (const LaunchInfo& launch : sink.ended)
    if (launch.kernel != "multiply_bins")  // its lines do not say that the factors are read
      check_launch(sink.info, launch, launches[launch.number]);
}

}  // namespace

TEST_CASE("the catalogue's accesses lift to what its trace lines say") {
  Sample sample(6);
  for (const Algorithm& algorithm : algorithms()) {
    if (std::find(algorithm.runtimes.begin(), algorithm.runtimes.end(), "opencl") == algorithm.runtimes.end()) continue;
    for (const Request& request : lifting::truth_requests(algorithm))
      if (request.method != "cooperative" && !sample.skips()) check_plan(request);  // there is no OpenCL C of it
  }
}
