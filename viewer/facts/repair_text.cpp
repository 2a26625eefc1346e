#include "viewer/facts/repair_text.h"

#include "base/error.h"
#include "base/read_file.h"
#include "tracer/checks/fix_lines.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>

namespace twiddle {

std::vector<Finding> findings_in(const TraceFacts& facts) {
  std::vector<Finding> findings;
  for (const TraceNote& note : facts.notes)
    if (note.finding) findings.push_back(*note.finding);
  return findings;
}

std::optional<std::size_t> repair_note(const TraceFacts& facts, std::optional<std::size_t> chosen) {
  const auto has = [&](std::size_t n) {
    return n < facts.notes.size() && facts.notes[n].finding && facts.notes[n].finding->fix;
  };
  if (chosen && has(*chosen)) return chosen;
  for (std::size_t n = 0; n < facts.notes.size(); ++n)
    if (has(n)) return n;
  return std::nullopt;
}

RepairedText repaired_text(const TraceInfo& info, const Finding& finding) {
  RepairedText text;
  if (!finding.fix) throw usage_error("No repair of this was found.");
  if (finding.fix->in_plan) {
    constexpr std::uintmax_t max_plan = 1 << 20;
    text.name = std::filesystem::path(info.algorithm).filename().string();
    text.before = read_file(info.algorithm, max_plan);
  } else if (finding.source >= 0 && static_cast<std::size_t>(finding.source) < info.sources.size()) {
    const SourceText& source = info.sources[static_cast<std::size_t>(finding.source)];
    text.name = source.name;
    text.before = source.text;
  }
  const std::optional<std::string> after = with_fix(text.before, *finding.fix);
  if (!after) throw usage_error("{} has other lines by now than those that the repair replaces.", text.name);
  text.after = *after;
  return text;
}

}  // namespace twiddle
