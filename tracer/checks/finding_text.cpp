// Findings as a person reads them, in the manner of a compiler.
#include "base/counted.h"
#include "tracer/checks/finding.h"
#include "tracer/checks/findings.h"
#include "tracer/checks/fix_lines.h"
#include "tracer/replay/position.h"
#include "tracer/trace/begun.h"
#include "tracer/trace/item_words.h"
#include "tracer/trace/outside.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <tuple>

namespace twiddle {
namespace {

// A line of a text, from 1, without its indentation; empty when there is none.
std::string_view line_of(std::string_view text, int line) {
  for (int at = 1; at < line; ++at) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  text = text.substr(0, text.find_first_of("\r\n"));
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

std::string place_text(const TraceInfo& info, const Finding& finding) {
  if (finding.launch < 1) return {};
  std::string text = to_string(position_of(finding));
  if (const LaunchInfo* launch = info.launch(finding.launch)) text += fmt::format(", kernel {}", launch->kernel);
  if (!finding.schedule.empty()) text += fmt::format(", under {}", finding.schedule);
  return text;
}

// Who waits while the others of its sub-group work.
std::string waiting_text(const TraceInfo& info, const Finding& finding) {
  const std::size_t shown = std::min(finding.items.size(), Findings::max_items), more = finding.items.size() - shown;
  std::string text = finding.occurrences > 1 ? fmt::format("; {} times", finding.occurrences) : std::string();
  text += fmt::format("{} {} {}", text.empty() ? ";" : ", first", shown == 1 ? item_noun(info) : items_noun(info),
                      fmt::join(finding.items.begin(), finding.items.begin() + std::ptrdiff_t(shown), ", "));
  if (more > 0) text += fmt::format(" and {} more", more);
  return text + (finding.items.size() == 1 ? " waits" : " wait");
}

std::string who_text(const TraceInfo& info, const Finding& finding) {
  if (finding.kind == FindingClass::DivergentBranch && !finding.items.empty()) return waiting_text(info, finding);
  if (finding.occurrences <= 1 && finding.items.size() <= 1) return {};
  std::string text = finding.occurrences > 1 ? fmt::format("; {} times", finding.occurrences) : std::string();
  if (finding.items.size() > 1)
    text += fmt::format("{} {} {}{}", text.empty() ? ";" : ", by", items_noun(info), fmt::join(finding.items, ", "),
                        finding.occurrences > finding.items.size() ? ", …" : "");
  return text;
}

constexpr std::size_t max_explained = 6;

// What came of it, a line each: the same of one line once.
std::string explained_text(const TraceInfo& info, const Finding& finding) {
  if (finding.explains.empty()) return {};
  std::vector<std::pair<std::string, std::uint64_t>> lines;
  for (const Finding& one : finding.explains) {
    const int at = shown_line(one);
    std::string place = file_of(info, one);
    if (at > 0) place += fmt::format(":{}", at);
    place += fmt::format(": {}: ", name_of(one.kind));
    const auto known =
        std::find_if(lines.begin(), lines.end(), [&](const auto& l) { return l.first.starts_with(place); });
    if (known != lines.end())
      ++known->second;
    else
      lines.emplace_back(place + one.message.english(), 1);
  }
  std::string text =
      fmt::format("        explains {}, gone with the fix:\n", counted(finding.explains.size(), "finding", "findings"));
  for (std::size_t k = 0; k < lines.size() && k < max_explained; ++k)
    text += fmt::format("          {}{}\n", lines[k].first,
                        lines[k].second > 1 ? fmt::format("; {} of that line", lines[k].second) : "");
  if (lines.size() > max_explained) text += fmt::format("          and at {} more\n", lines.size() - max_explained);
  return text;
}

}  // namespace

std::string file_of(const TraceInfo& info, const Finding& finding) {
  if (finding.fix && finding.fix->in_plan) return finding.fix->file;
  const SourceText* source = info.source(finding.source);
  if (!source) return info.algorithm.empty() ? "trace" : info.algorithm;
  const std::filesystem::path plan(info.algorithm);
  return plan.extension() == ".toml" ? (plan.parent_path() / source->name).lexically_normal().string() : source->name;
}

std::string text_of(const TraceInfo& info, const Finding& finding) {
  std::string text = file_of(info, finding);
  const int at = shown_line(finding);
  if (at > 0) text += fmt::format(":{}", at);
  text += fmt::format(": {}: {}: {}\n", name_of(finding.severity), name_of(finding.kind), finding.message);
  if (finding.fix && finding.fix->in_plan) {
    text += fmt::format("  {:>5} | {}\n", finding.fix->line, finding.fix->is);
  } else if (const SourceText* source = info.source(finding.source); source && at > 0) {
    text += fmt::format("  {:>5} | {}\n", at, line_of(source->text, at));
    if (at != finding.line) text += fmt::format("  {:>5} | {}\n", finding.line, line_of(source->text, finding.line));
  }
  if (const std::string place = place_text(info, finding); !place.empty())
    text += fmt::format("        at {}{}\n", place, who_text(info, finding));
  if (finding.fix && last_line_of(*finding.fix) == finding.fix->line)
    text += fmt::format("        fix: line {}: {}\n", finding.fix->line, finding.fix->should);
  else if (finding.fix)
    text += fmt::format("        fix: lines {} to {}:\n{}\n", finding.fix->line, last_line_of(*finding.fix),
                        finding.fix->should);
  if (!finding.advice.empty()) text += fmt::format("        to put it right: {}\n", finding.advice);
  text += explained_text(info, finding);
  if (finding.follows > 0)
    text += fmt::format("        {} left out because {} from this one\n",
                        counted(finding.follows, "finding is", "findings are"),
                        finding.follows == 1 ? "it follows" : "they follow");
  return text;
}

std::string text_of(const TraceInfo& info, std::span<const Finding> findings) {
  // What a reader takes for one: the same of the same lines in any launch, and a race seen from both of its ends.
  using Alike = std::tuple<FindingClass, std::string, int, int, std::string, std::optional<bool>>;
  const auto alike = [&](const Finding& finding) {
    const LaunchInfo* launch = info.launch(finding.launch);
    const auto [first, last] = std::minmax(finding.line, finding.other_line > 0 ? finding.other_line : finding.line);
    const BufferInfo* buffer = info.buffer(finding.buffer);
    return Alike(finding.kind, launch ? launch->kernel : "", first, last, buffer ? buffer->name : "", finding.writes);
  };
  std::vector<std::pair<const Finding*, std::vector<std::string>>> shown;  // with the other places
  std::map<Alike, std::size_t> known;
  for (const Finding& finding : findings) {
    const auto [at, added] = known.try_emplace(alike(finding), shown.size());
    if (added || finding.line == 0 || finding.fix || finding.launch < 1) {
      shown.push_back({&finding, {}});
      continue;
    }
    auto& [first, places] = shown[at->second];
    const std::string place = to_string(position_of(finding));
    if (place != to_string(position_of(*first)) && std::find(places.begin(), places.end(), place) == places.end())
      places.push_back(place);
  }
  constexpr std::size_t max_places = 3;
  std::string text;
  for (const auto& [finding, places] : shown) {
    text += text_of(info, *finding);
    if (places.empty()) continue;
    const std::size_t named = std::min(places.size(), max_places);
    text += fmt::format("        the same at {}{}\n",
                        fmt::join(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(named), ", "),
                        places.size() > named ? fmt::format(" and {} places more", places.size() - named) : "");
  }
  return text;
}

std::string summary_of(std::span<const Finding> findings) {
  std::array<std::uint64_t, 3> counts{};
  std::size_t explained = 0;
  for (const Finding& finding : findings) {
    ++counts[static_cast<std::size_t>(finding.severity)];
    explained += finding.explains.size();
  }
  std::string text;
  for (const Severity severity : {Severity::Error, Severity::Warning, Severity::Note})
    if (const std::uint64_t count = counts[static_cast<std::size_t>(severity)]) {
      const std::string name(name_of(severity));
      text += (text.empty() ? "" : ", ") + counted(count, name, name + "s");
      if (severity == Severity::Error && explained > 0) text += fmt::format(" (explaining {} more)", explained);
    }
  return text.empty() ? "no findings" : text;
}

std::vector<Unchecked> unchecked_accesses(const TraceInfo& info) {
  std::vector<Unchecked> list;
  for (const LaunchInfo& launch : info.launches) {
    const AccessTotals& accesses = launch.accesses;
    const auto say = [&](const Message& what) {
      const Message sentence("launch {} ({}): {}", launch.number, launch.kernel, what);
      // Two accesses of one line are one sentence.
      if (std::none_of(list.begin(), list.end(), [&](const Unchecked& other) { return other.what == sentence; }))
        list.push_back({launch.number, sentence});
    };
    if (!from_outside(launch) && !accesses.logged && !has_ended(launch))
      say(Message("it began and did not end: its accesses had not come"));
    else if (!from_outside(launch) && !accesses.logged && !accesses.reason.empty())
      say(Message("its accesses were not logged: {}", accesses.reason));
    if (!accesses.logged) continue;
    if (!accesses.reason.empty()) say(accesses.reason);
    if (accesses.lost > 0)
      say(Message("{} of its accesses found no room and were not checked", std::to_string(accesses.lost)));
    if (accesses.unresolved > 0)
      say(Message("{} of its accesses are to memory that is no buffer of the plan and were not checked",
                  std::to_string(accesses.unresolved)));
    for (const Unlogged& one : accesses.unlogged)
      say(one.line > 0 ? Message("line {}: {}", one.line, one.what) : one.what);
  }
  for (const BufferInfo& buffer : info.buffers)
    if (buffer.count == 0)
      list.push_back(
          {0, Message("the size of {} is not known: whether accesses stay within it was not checked", buffer.name)});
  return list;
}

std::vector<std::string> unchecked_in(const TraceInfo& info) {
  std::vector<std::string> sentences;
  if (!info.filter.empty())
    sentences.push_back(
        fmt::format("only a part of the run was kept ({}): what left it, or came from outside, could not be followed",
                    info.filter));
  if (info.detail == Detail::Index)
    sentences.push_back("the trace has no values (--detail index): arithmetic and the outcome were not checked");
  if (!info.complete) sentences.push_back("the trace was interrupted: what was still to come was not checked");
  if (const std::uint64_t lost = info.attempted() - std::min(info.attempted(), info.kept());
      lost > 0 && info.filter.empty())
    sentences.push_back(fmt::format("{} operations were lost while tracing and were not checked", lost));
  std::string silent;
  for (const LaunchInfo& launch : info.launches)
    if (!from_outside(launch) && has_ended(launch) && launch.attempted == 0 && !launch.accesses.logged &&
        info.filter.empty())
      silent += fmt::format("{}{} ({})", silent.empty() ? "" : ", ", launch.number, launch.kernel);
  if (!silent.empty()) sentences.push_back(fmt::format("nothing was logged in launch {}: it was not checked", silent));
  for (const Unchecked& one : unchecked_accesses(info)) sentences.push_back(one.what.english());
  return sentences;
}

}  // namespace twiddle
