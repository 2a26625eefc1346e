#include "tracer/checks/statement_lines.h"

#include <algorithm>
#include <map>

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
  const BufferInfo* buffer = info.buffer(finding.buffer);
  const std::uint64_t item = finding.items.front();
  if (!buffer || item < log.first_item || item - log.first_item >= log.items()) return 0;
  const std::uint64_t at = item - log.first_item, bytes = traits(buffer->type).bytes;
  int read = 0, written = 0;
  for (std::uint64_t record = log.begin[at]; record < log.begin[at + 1]; ++record) {
    const AccessSite& site = log.sites[log.site[record]];
    if (!touches_memory(site.kind) || log.buffer[record] != finding.buffer || site.source != finding.source) continue;
    if (log.offset[record] / bytes != *finding.element || site.line > finding.line) continue;
    int& nearest = is_write(site.kind) ? written : read;
    nearest = std::max(nearest, site.line);
  }
  return written > 0 ? written : read;
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
