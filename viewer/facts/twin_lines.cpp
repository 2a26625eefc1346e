#include "viewer/facts/twin_lines.h"

#include "kernels/catalogue/catalogue.h"
#include "tracer/checks/fix_lines.h"
#include "viewer/words/source_values.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace twiddle {
namespace {

constexpr std::size_t max_shown_lines = 9;

std::string without_indent(const std::string& line) {
  return line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
}

/// Of each line whether it is code of the broken kernel alone, of the right one alone, or of both; of directives nothing.
std::vector<FindingLine> selected_lines(const std::vector<std::string>& lines, bool gallery) {
  std::vector<FindingLine> all;
  using Kind = FindingLine::Kind;
  Kind kind = Kind::Code;
  bool inside = false;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    const std::string text = without_indent(lines[n]);
    const std::string_view view = text;
    if (gallery && (view.starts_with("#ifdef RIGHT") || view.starts_with("#ifndef RIGHT"))) {
      inside = true, kind = view.starts_with("#ifdef") ? Kind::Missing : Kind::Wrong;
    } else if (inside && view.starts_with("#else")) {
      kind = kind == Kind::Missing ? Kind::Wrong : Kind::Missing;
    } else if (inside && view.starts_with("#endif")) {
      inside = false, kind = Kind::Code;
    } else {
      all.push_back({static_cast<int>(n) + 1, text, kind, FindingLine::Part::None});
    }
  }
  return all;
}

}  // namespace

std::string twin_of(const std::string& algorithm) {
  for (const Algorithm& entry : gallery())
    if (entry.id == algorithm || entry.id == "gallery/" + algorithm) return entry.twin;
  return {};
}

std::vector<FindingLine> finding_lines(const TraceInfo& info, const Finding& finding) {
  if (finding.fix && finding.fix->in_plan && finding.fix->line > 0) {
    std::vector<FindingLine> both;
    for (const auto& [text, kind] : {std::pair{finding.fix->is, FindingLine::Kind::Wrong},
                                     std::pair{finding.fix->should, FindingLine::Kind::Missing}})
      for (const std::string& line : source_lines(text))
        both.push_back({finding.fix->line, line, kind, FindingLine::Part::None});
    return both;
  }
  if (finding.source < 0 || finding.source >= static_cast<int>(info.sources.size())) return {};
  const std::vector<std::string> lines = source_lines(info.sources[finding.source].text);
  std::vector<FindingLine> all = selected_lines(lines, !finding.fix && !twin_of(info.algorithm).empty());
  // A repair's line is replaced.
  if (finding.fix && !finding.fix->in_plan && finding.fix->line > 0) {
    const auto at =
        std::find_if(all.begin(), all.end(), [&](const FindingLine& line) { return line.number == finding.fix->line; });
    if (at != all.end()) {
      std::vector<FindingLine> right;
      for (const std::string& text : source_lines(finding.fix->should))
        right.push_back({at->number, text, FindingLine::Kind::Missing, FindingLine::Part::None});
      auto behind = at;
      if (!finding.fix->is.empty())
        for (; behind != all.end() && behind->number <= last_line_of(*finding.fix); ++behind)
          behind->kind = FindingLine::Kind::Wrong;
      all.insert(behind, right.begin(), right.end());
    }
  }
  const int here = shown_line(finding);
  std::set<std::size_t> shown;
  std::set<std::size_t> core;
  for (std::size_t n = 0; n < all.size(); ++n) {
    FindingLine& line = all[n];
    if (line.number == here && line.kind != FindingLine::Kind::Missing) line.role = FindingLine::Part::Here;
    if (line.number == finding.other_line && finding.other_line != here && line.kind == FindingLine::Kind::Code)
      line.role = FindingLine::Part::Other;
    if (line.role != FindingLine::Part::None || line.kind != FindingLine::Kind::Code) core.insert(n);
  }
  // What only logs is not what is right or wrong.
  std::erase_if(core, [&](std::size_t n) {
    return all[n].kind != FindingLine::Kind::Code && std::string_view(all[n].text).starts_with("TRACE_");
  });
  // Of many changes those that are nearest to the line.
  std::vector<std::size_t> order(core.begin(), core.end());
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto weight = [&](std::size_t n) {
      return all[n].role != FindingLine::Part::None ? -1 : std::abs(all[n].number - here);
    };
    return weight(a) < weight(b);
  });
  for (const std::size_t n : order)
    if (shown.size() < max_shown_lines) shown.insert(n);
  for (const std::size_t n : order) {
    const auto neighbour = [&](std::size_t m) {
      if (m < all.size() && shown.size() < max_shown_lines && !all[m].text.empty() &&
          !std::string_view(all[m].text).starts_with("TRACE_"))
        shown.insert(m);
    };
    neighbour(n + 1);
    if (n > 0) neighbour(n - 1);
  }
  std::vector<FindingLine> result;
  std::size_t last = 0;
  for (const std::size_t n : shown) {
    if (!result.empty() && n > last + 1) result.push_back({});
    result.push_back(all[n]);
    last = n;
  }
  if (std::none_of(result.begin(), result.end(), [](const FindingLine& l) {
        return l.role != FindingLine::Part::None || l.kind != FindingLine::Kind::Code;
      }))
    return {};
  return result;
}

}  // namespace twiddle
