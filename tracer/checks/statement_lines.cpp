#include "tracer/checks/statement_lines.h"

#include "tracer/trace/memory/pairs.h"

#include <algorithm>
#include <map>
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

}  // namespace

void find_statements(const TraceSource& trace, std::vector<Finding>& findings) {
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
    const int line = statement_of(info, log->second, finding, site->macro.empty());
    if (line == 0 || line == finding.line) continue;
    // What was found in accesses is at the line of its last write: a finding of what it read is at that of the read.
    (site->macro.empty() ? finding.line : finding.statement_line) = line;
  }
}

}  // namespace twiddle
