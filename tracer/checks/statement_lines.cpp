#include "tracer/checks/statement_lines.h"

#include "tracer/checks/complex_value.h"
#include "tracer/trace/memory/pairs.h"

#include <algorithm>
#include <array>
#include <complex>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace twiddle {
namespace {

// The place of the operation that a finding is at: a trace line or, with no macro, the line of an access.
const Site* site_of(const TraceInfo& info, const Finding& finding) {
  const auto site = std::find_if(info.sites.begin(), info.sites.end(), [&](const Site& one) {
    return one.source == finding.source && one.line == finding.line;
  });
  return site == info.sites.end() ? nullptr : &*site;
}

// The nearest line up to the trace line in which the item touches the element; 0: none. With `epochs` it is of the finding's epoch,
// or the last one before it in which the item does: that of an operation found in accesses, whose barriers are the kernel's.
int statement_of(const TraceInfo& info, const AccessLog& log, const Finding& finding, bool epochs) {
  const std::uint64_t item = finding.items.front();
  if (!info.buffer(finding.buffer) || item < log.first_item || item - log.first_item >= log.items()) return 0;
  const std::uint64_t at = item - log.first_item;
  // A pair's element is touched where its parts are.
  const std::vector<SameElement> same = same_elements(info, finding.buffer, *finding.element);
  const auto touches = [&](std::uint64_t record) {
    return std::any_of(same.begin(), same.end(), [&](const SameElement& one) {
      return log.buffer[record] == one.buffer &&
             log.offset[record] / traits(info.buffers[static_cast<std::size_t>(one.buffer)].type).bytes == one.index;
    });
  };
  struct Nearest {
    int epoch = -1, line = 0;
  };
  Nearest read, written;
  int epoch = 0;
  for (std::uint64_t record = log.begin[at]; record < log.begin[at + 1]; ++record) {
    const AccessSite& site = log.sites[log.site[record]];
    if (epochs && site.kind == AccessKind::Barrier && site.scope >= MemoryScope::Group) ++epoch;
    if (epochs && finding.epoch >= 0 && epoch > finding.epoch) break;
    if (!touches_memory(site.kind) || site.source != finding.source || site.line > finding.line || !touches(record))
      continue;
    Nearest& nearest = is_write(site.kind) ? written : read;
    if (epoch > nearest.epoch) nearest = {epoch, 0};
    nearest.line = std::max(nearest.line, site.line);
  }
  if (finding.writes) return *finding.writes ? written.line : read.line;
  if (finding.never_written) return written.line;
  return written.line > 0 && written.epoch >= read.epoch ? written.line : read.line;
}

// A factor of an operation that was found in accesses.
struct Factor {
  std::complex<double> value;
  int before = 0;  // how many equal ones of the operation come before it
};
std::optional<Factor> factor_of(const Operation& op, const Finding& finding) {
  for (int q = 0; q < op.reads.size(); ++q) {
    if (op.reads[q].buffer != finding.buffer || op.reads[q].index != finding.element) continue;
    const int which = q - (op.reads.size() - op.coefficients.size());  // the first value of a butterfly has none
    if (which < 0 || which >= op.coefficients.size()) return std::nullopt;
    Factor factor{complex_of(op.coefficients[which])};
    for (int c = 0; c < which; ++c) factor.before += complex_of(op.coefficients[c]) == factor.value;
    return factor;
  }
  return std::nullopt;
}

// The line in which the item reads a factor of an operation from a table, which no item writes; 0: it does not. Where the
// operation has the same factor several times they were read in their order.
int table_line_of(const AccessLog& log, const Finding& finding, const Factor& factor) {
  const std::uint64_t item = finding.items.front();
  if (item < log.first_item || item - log.first_item >= log.items()) return 0;
  std::set<int> written;
  for (std::uint64_t record = 0; record < log.size(); ++record)
    if (is_write(log.sites[log.site[record]].kind)) written.insert(log.buffer[record]);
  const std::uint64_t at = item - log.first_item, end = log.begin[at + 1];
  // A number of a record, or of that and the next one.
  const auto number_at = [&](std::uint64_t record) -> std::optional<std::complex<double>> {
    const AccessSite& site = log.sites[log.site[record]];
    if (!is_read(site.kind) || site.components != 2 || !traits(site.type).floating || site.source != finding.source ||
        site.line > finding.line || log.buffer[record] == finding.buffer || written.contains(log.buffer[record]))
      return std::nullopt;
    std::array<std::byte, 16> bytes{};
    const std::uint64_t wanted = 2 * traits(site.type).bytes, records = wanted / std::max<std::uint64_t>(site.chunk, 1);
    if (wanted > bytes.size() || records * site.chunk != wanted || record + records > end) return std::nullopt;
    for (std::uint64_t r = 0; r < records; ++r) {
      if (log.site[record + r] != log.site[record] || log.offset[record + r] != log.offset[record] + r * site.chunk)
        return std::nullopt;
      std::memcpy(bytes.data() + r * site.chunk, &log.value[record + r], site.chunk);
    }
    return std::complex<double>(component(site.type, bytes.data(), 0),
                                component(site.type, bytes.data() + traits(site.type).bytes, 0));
  };
  int epoch = 0, line = 0, matches = 0;
  for (std::uint64_t record = log.begin[at]; record < end; ++record) {
    const AccessSite& site = log.sites[log.site[record]];
    if (site.kind == AccessKind::Barrier && site.scope >= MemoryScope::Group) ++epoch;
    if (finding.epoch >= 0 && epoch > finding.epoch) break;
    const std::optional<std::complex<double>> number = number_at(record);
    if (!number || (magnitude(*number - factor.value) > 1e-6 && magnitude(std::conj(*number) - factor.value) > 1e-6))
      continue;
    if (matches++ <= factor.before) line = site.line;
  }
  return line;
}

}  // namespace

void find_statements(Replay& replay, std::vector<Finding>& findings) {
  const TraceSource& trace = replay.trace();
  const TraceInfo& info = trace.info();
  std::map<int, AccessLog> logs;  // by launch
  for (Finding& finding : findings) {
    const LaunchInfo* launch = info.launch(finding.launch);
    if (!launch || !launch->accesses.logged || finding.items.empty() || !finding.element || finding.line == 0) continue;
    if (finding.kind == FindingClass::FalseTraceLine) continue;  // the statement does nothing wrong
    const Site* site = site_of(info, finding);
    if (!site) continue;
    auto log = logs.find(finding.launch);
    if (log == logs.end()) log = logs.emplace(finding.launch, trace.accesses_of(finding.launch)).first;
    // A wrong factor is wrong where it comes from.
    if (finding.kind == FindingClass::WrongTwiddle && finding.step > 0 && launch->accesses.lifted)
      if (const auto factor = factor_of(replay.operation(finding.step), finding))
        if (const int line = table_line_of(log->second, finding, *factor); line > 0) {
          finding.line = line;
          continue;
        }
    const int line = statement_of(info, log->second, finding, site->macro.empty());
    if (line == 0 || line == finding.line) continue;
    // What was found in accesses is at the line of its last write: a finding of what it read is at that of the read.
    (site->macro.empty() ? finding.line : finding.statement_line) = line;
  }
}

}  // namespace twiddle
