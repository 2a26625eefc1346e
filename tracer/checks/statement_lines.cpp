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

// The nearest line up to the trace line in which the item touches the element; 0: none.
int statement_of(const TraceInfo& info, const AccessLog& log, const Finding& finding) {
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
  int read = 0, written = 0;
  for (std::uint64_t record = log.begin[at]; record < log.begin[at + 1]; ++record) {
    const AccessSite& site = log.sites[log.site[record]];
    if (!touches_memory(site.kind) || site.source != finding.source || site.line > finding.line || !touches(record))
      continue;
    int& nearest = is_write(site.kind) ? written : read;
    nearest = std::max(nearest, site.line);
  }
  return written > 0 || finding.never_written ? written : read;
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
    const int line = statement_of(info, log->second, finding);
    if (line == 0 || line == finding.line) continue;
    // What was found in accesses is at the line of its last write: a finding of what it read is at that of the read.
    (site->macro.empty() ? finding.line : finding.statement_line) = line;
  }
}

}  // namespace twiddle
