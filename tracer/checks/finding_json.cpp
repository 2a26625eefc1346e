// Findings as programs read them: JSON (docs/json.md) and SARIF.
#include "base/values/json_text.h"
#include "tracer/checks/finding.h"
#include "tracer/checks/fix_lines.h"
#include "tracer/replay/position.h"
#include "tracer/trace/item_words.h"

#include <nlohmann/json.hpp>

namespace twiddle {
namespace {

using nlohmann::ordered_json;

ordered_json ideal_of(const Ideal& ideal) {
  ordered_json out = ordered_json::object();
  const auto pair = [](std::complex<double> value) { return ordered_json::array({value.real(), value.imag()}); };
  if (ideal.partner) out["element"] = *ideal.partner;
  if (ideal.twiddle) out["twiddle"] = pair(*ideal.twiddle);
  if (ideal.value) out["value"] = pair(*ideal.value);
  return out;
}

ordered_json fix_of(const Fix& fix) {
  ordered_json out = {{"file", fix.file}, {"line", fix.line}, {"is", fix.is}, {"should", fix.should}};
  if (!fix.stages.empty()) out["stages"] = fix.stages;
  if (!fix.items.empty()) out["items"] = fix.items;
  out["text"] = fix.text.english();
  return out;
}

ordered_json object_of(const TraceInfo& info, const Finding& finding) {
  ordered_json out = {{"class", name_of(finding.kind)}, {"severity", std::string(name_of(finding.severity))}};
  if (finding.launch > 0) out["launch"] = finding.launch;
  if (finding.stage > 0) out["stage"] = finding.stage;
  if (finding.epoch >= 0) out["epoch"] = finding.epoch;
  if (!finding.items.empty()) out["items"] = finding.items;
  if (const BufferInfo* buffer = info.buffer(finding.buffer)) {
    out["buffer"] = buffer->name;
    out["space"] = std::string(name_of(buffer->space));
  }
  if (finding.element) out["element"] = *finding.element;
  if (finding.ideal) out["ideal"] = ideal_of(*finding.ideal);
  if (finding.source >= 0) out["file"] = file_of(info, finding);
  if (finding.line > 0) out["line"] = shown_line(finding);
  if (finding.statement_line > 0) out["trace_line"] = finding.line;
  if (finding.other_line > 0) out["other_line"] = finding.other_line;
  out["message"] = finding.message.english();
  if (!finding.advice.empty()) out["advice"] = finding.advice.english();
  if (finding.fix) out["fix"] = fix_of(*finding.fix);
  if (finding.launch > 0) out["position"] = to_string(position_of(finding));
  if (finding.step > 0) out["step"] = finding.step;
  if (!finding.schedule.empty()) out["schedule"] = finding.schedule;
  out["occurrences"] = finding.occurrences;
  if (finding.follows > 0) out["left_out"] = finding.follows;
  for (const Finding& one : finding.explains) out["explains"].push_back(object_of(info, one));
  return out;
}

// A path as a relative reference of RFC 3986.
std::string uri_of(const std::string& path) {
  constexpr std::string_view plain = "-._~/";
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string uri;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');
    if (letter || plain.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      uri += '%';
      uri += digits[byte >> 4];
      uri += digits[byte & 15];
    }
  }
  return path.starts_with('/') ? "file://" + uri : uri;
}

// The line as a whole is what is replaced, its indentation kept.
ordered_json sarif_fix_of(const TraceInfo& info, const Fix& fix) {
  ordered_json region = {
      {"startLine", fix.line}, {"startColumn", 1}, {"endLine", last_line_of(fix) + 1}, {"endColumn", 1}};
  std::string indentation;
  for (const SourceText& source : info.sources) {
    if (fix.in_plan || !fix.file.ends_with(source.name)) continue;
    const std::string& text = source.text;
    std::size_t from = 0;
    for (int at = 1; at < fix.line && from != std::string::npos; ++at)
      if (from = text.find('\n', from); from != std::string::npos) ++from;
    if (from == std::string::npos) continue;
    const std::size_t word = std::min(text.find_first_not_of(" \t", from), text.size());
    indentation = text.substr(from, word - from);
  }
  const ordered_json replacement = {{"deletedRegion", region},
                                    {"insertedContent", {{"text", indentation + fix.should + "\n"}}}};
  return {{"description", {{"text", fix.text.english()}}},
          {"artifactChanges", ordered_json::array({{{"artifactLocation", {{"uri", uri_of(fix.file)}}},
                                                    {"replacements", ordered_json::array({replacement})}}})}};
}

ordered_json location_of(const TraceInfo& info, const Finding& finding, int line) {
  ordered_json physical = {{"artifactLocation", {{"uri", uri_of(file_of(info, finding))}}}};
  if (line > 0) physical["region"] = {{"startLine", line}};
  return {{"physicalLocation", physical}};
}

ordered_json result_of(const TraceInfo& info, const Finding& finding) {
  ordered_json result = {{"ruleId", name_of(finding.kind)},
                         {"ruleIndex", static_cast<int>(finding.kind)},
                         {"level", std::string(name_of(finding.severity))},
                         {"occurrenceCount", finding.occurrences},
                         {"message", {{"text", fmt::format("{}. {}", finding.message, finding.advice)}}}};
  ordered_json location = location_of(info, finding, shown_line(finding));
  if (finding.launch > 0)
    location["logicalLocations"] = ordered_json::array({{{"fullyQualifiedName", to_string(position_of(finding))}}});
  result["locations"] = ordered_json::array({location});
  if (finding.other_line > 0 && finding.other_line != finding.line) {
    ordered_json other = location_of(info, finding, finding.other_line);
    other["message"] = {{"text", "the other one's line"}};
    result["relatedLocations"].push_back(std::move(other));
  }
  for (const Finding& one : finding.explains) {
    ordered_json place = location_of(info, one, shown_line(one));
    place["message"] = {{"text", fmt::format("explained by it: {}: {}", name_of(one.kind), one.message)}};
    result["relatedLocations"].push_back(std::move(place));
  }
  if (finding.fix) result["fixes"] = ordered_json::array({sarif_fix_of(info, *finding.fix)});
  result["properties"] = object_of(info, finding);
  return result;
}

}  // namespace

std::string json_of(const TraceInfo& info, std::span<const Finding> findings) {
  ordered_json list = ordered_json::array();
  for (const Finding& finding : findings) list.push_back(object_of(info, finding));
  ordered_json out = {{"findings", list}};
  if (const std::vector<std::string> sentences = unchecked_in(info); !sentences.empty()) out["unchecked"] = sentences;
  return json_text(out, 2) + "\n";
}

// What a class is, in the words of the kernel's language.
static std::string meaning_of(const TraceInfo& info, const FindingTraits& rule) {
  return fmt::format(fmt::runtime(rule.meaning), item_noun(info).english(), items_noun(info).english(),
                     lanes_noun(info).english());
}

std::string sarif_of(const TraceInfo& info, std::span<const Finding> findings) {
  ordered_json rules = ordered_json::array();
  for (int kind = 0; kind < finding_class_count; ++kind) {
    const FindingTraits& rule = traits(static_cast<FindingClass>(kind));
    rules.push_back({{"id", std::string(rule.name)},
                     {"shortDescription", {{"text", meaning_of(info, rule)}}},
                     {"defaultConfiguration", {{"level", std::string(name_of(rule.severity))}}}});
  }
  ordered_json results = ordered_json::array();
  for (const Finding& finding : findings) results.push_back(result_of(info, finding));
  // "twiddle 1.0": the program that made the trace.
  const std::size_t blank = info.program.find(' ');
  ordered_json driver = {{"name", info.program.substr(0, blank)}};
  if (blank != std::string::npos) driver["version"] = info.program.substr(blank + 1);
  driver["rules"] = rules;
  ordered_json run = {{"tool", {{"driver", driver}}}, {"columnKind", "unicodeCodePoints"}, {"results", results}};
  ordered_json notes = ordered_json::array();
  for (const std::string& sentence : unchecked_in(info))
    notes.push_back({{"level", "note"}, {"message", {{"text", sentence}}}});
  run["invocations"] = ordered_json::array({{{"executionSuccessful", true}, {"toolExecutionNotifications", notes}}});
  const ordered_json out = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                            {"version", "2.1.0"},
                            {"runs", ordered_json::array({run})}};
  return json_text(out, 2) + "\n";
}

}  // namespace twiddle
