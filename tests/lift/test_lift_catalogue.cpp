// The truth test: the accesses of the catalogue's kernels, without what their trace lines say that they are, lift to what the
// trace lines say, one by one.
#include "kernels/catalogue/catalogue.h"
#include "tracer/lift/operations.h"
#include "tracer/run/tracer.h"

#include "collecting_sink.h"

#include <doctest.h>

#include <algorithm>
#include <cmath>
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

std::string text(const TraceInfo& info, const Operation& op) {
  std::string line(name_of(op.kind));
  for (const Access& access : op.reads) line += " " + element_text(info, access);
  line += " ->";
  for (const Access& access : op.writes) line += " " + element_text(info, access);
  if (op.kind == OperationKind::Term) line += " for " + element_text(info, op.target);
  return line + " (item " + std::to_string(op.item) + ", epoch " + std::to_string(op.epoch) + ")";
}

bool same_coefficients(const Operation& a, const Operation& b) {
  if (a.coefficients.size() != b.coefficients.size()) return false;
  for (int c = 0; c < a.coefficients.size(); ++c) {
    if (a.coefficients[c].type != b.coefficients[c].type) return false;
    for (int part = 0; part < traits(a.coefficients[c].type).components; ++part) {
      const double x = a.coefficients[c].component(part), y = b.coefficients[c].component(part);
      if (!(std::abs(x - y) <= 2e-5 * std::max(1.0, std::abs(x)))) return false;
    }
  }
  return true;
}

bool same_values(const Operation& a, const Operation& b) {
  const auto same = [](const auto& one, const auto& other) {
    return std::equal(one.begin(), one.end(), other.begin(), other.end(), [](const Access& x, const Access& y) {
      return x.buffer == y.buffer && x.index == y.index && x.value == y.value;
    });
  };
  return a.kind == b.kind && a.item == b.item && a.epoch == b.epoch && a.line == b.line && same(a.reads, b.reads) &&
         same(a.writes, b.writes) &&
         (a.kind != OperationKind::Term || (a.target.buffer == b.target.buffer && a.target.index == b.target.index));
}

// A sum of one term, stored, is a move: nothing in what happened tells them apart.
std::vector<Operation> without_single_terms(std::vector<Operation> claims) {
  std::vector<Operation> all;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const bool single = claims[i].kind == OperationKind::Term && i + 1 < claims.size() &&
                        claims[i + 1].kind == OperationKind::Store && claims[i + 1].item == claims[i].item &&
                        claims[i + 1].writes[0].value == claims[i].reads[0].value &&
                        (i == 0 || claims[i - 1].kind != OperationKind::Term || claims[i - 1].item != claims[i].item);
    if (single) {
      claims[i].kind = OperationKind::Move;
      claims[i].coefficients = {};
      claims[i].writes = claims[i + 1].writes;
      claims[i].line = claims[i + 1].line;
    }
    all.push_back(claims[i]);
    i += single;
  }
  return all;
}

void check_launch(const TraceInfo& about, const LaunchInfo& launch, std::vector<Operation> claims) {
  CAPTURE(launch.number);
  CAPTURE(launch.kernel);
  std::stable_sort(claims.begin(), claims.end(), [](const Operation& a, const Operation& b) {
    return std::pair(a.item, a.slot) < std::pair(b.item, b.slot);
  });
  ClaimedAccesses accesses(launch.items());
  for (const Operation& op : claims) accesses.add(op);
  accesses.finish();
  const Lifted lifted = lift(accesses.log, about);
  const LiftedBlocks blocks = operations_of(lifted, accesses.log, about, launch);
  CHECK(blocks.left_out == 0);
  TraceInfo info = about;
  info.sites.insert(info.sites.end(), blocks.new_sites.begin(), blocks.new_sites.end());
  std::vector<Operation> found;
  for (const LiftedBlocks::Part& part : blocks.parts) {
    Segment segment;
    segment.launch = launch.number;
    segment.epoch = part.epoch;
    info.segments = {segment};
    for (std::uint32_t i = 0; i < part.block.count; ++i) found.push_back(part.block.operation(info, i));
  }
  std::stable_sort(found.begin(), found.end(), [](const Operation& a, const Operation& b) {
    return std::pair(a.item, a.slot) < std::pair(b.item, b.slot);
  });
  claims = without_single_terms(std::move(claims));
  CHECK(found.size() == claims.size());
  int shown = 0;
  for (std::size_t i = 0; i < std::min(found.size(), claims.size()) && shown < 3; ++i) {
    if (same_values(claims[i], found[i]) && same_coefficients(claims[i], found[i])) continue;
    ++shown;
    CHECK(text(info, claims[i]) == text(info, found[i]));
    CHECK(same_values(claims[i], found[i]));
    CHECK(same_coefficients(claims[i], found[i]));
  }
}

void check_plan(const Request& request) {
  CAPTURE(request.algorithm);
  CAPTURE(request.method);
  CollectingSink sink;
  const std::unique_ptr<Runtime> runtime = any_device();
  trace_plan(make_plan(request), *runtime, {}, sink);
  std::map<int, std::vector<Operation>> launches;
  for (const Operation& op : sink.operations) launches[op.launch].push_back(op);
  for (const LaunchInfo& launch : sink.ended) check_launch(sink.info, launch, launches[launch.number]);
}

}  // namespace

TEST_CASE("the catalogue's accesses lift to what its trace lines say") {
  for (const Algorithm& algorithm : algorithms()) {
    if (std::find(algorithm.runtimes.begin(), algorithm.runtimes.end(), "opencl") == algorithm.runtimes.end()) continue;
    Request request;
    request.algorithm = algorithm.id;
    std::vector<std::string> methods = {""};
    for (const Parameter& parameter : algorithm.parameters) {
      if (parameter.name == "signal") request.signal = "random:5";
      if (parameter.name == "method") methods = choices(parameter);
    }
    for (const std::string& method : methods) {
      if (method == "cooperative") continue;  // there is no OpenCL C of it
      request.method = method;
      check_plan(request);
    }
  }
}
