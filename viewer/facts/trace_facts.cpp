#include "viewer/facts/trace_facts.h"

#include "base/message.h"
#include "tracer/trace/outside.h"
#include "viewer/facts/findings.h"
#include "viewer/words/operation_text.h"
#include "viewer/words/segment_name.h"
#include "viewer/words/twiddle_name.h"

#include <algorithm>

namespace twiddle {
namespace {

std::vector<TraceNote> gather_notes(const TraceInfo& info) {
  std::vector<TraceNote> notes;
  const auto last_step_of = [&](int launch) {
    std::uint64_t step = 0;
    for (const Segment& segment : info.segments)
      if (segment.launch <= launch && segment.count > 0) step = std::max(step, segment.end_step() - 1);
    return step;
  };
  if (!info.filter.empty())
    notes.push_back({Severity::Note, Message("filtered"),
                     Message("Only {} were kept: what is outside is not in this trace.", info.filter), 0});
  for (const LaunchInfo& launch : info.launches) {
    if (launch.attempted > launch.kept && info.filter.empty())
      notes.push_back(
          {Severity::Error, Message("operations lost"),
           Message("Launch {} logged {}; {} of them could not be kept.", launch.number,
                   Message::plural(launch.attempted, "{} operation", "{} operations", count_text(launch.attempted)),
                   count_text(launch.attempted - launch.kept)),
           last_step_of(launch.number)});
    if (from_outside(launch))
      notes.push_back(
          {Severity::Note, Message("from outside"),
           Message("Before launch {}, {} came from outside: from the host, or from what was not recorded.",
                   launch.number + 1,
                   Message::plural(launch.unexplained, "{} element", "{} elements", count_text(launch.unexplained))),
           last_step_of(launch.number)});
    else if (launch.unexplained > 0)
      notes.push_back(
          {Severity::Error, Message("unexplained"),
           Message("After launch {} the device holds {} that the log does not explain.", launch.number,
                   Message::plural(launch.unexplained, "{} element", "{} elements", count_text(launch.unexplained))),
           last_step_of(launch.number)});
    if (launch.inconsistent_reads > 0)
      notes.push_back({Severity::Error, Message("inconsistent-read"),
                       Message("In launch {}, {} saw another value than the log's writes leave there.", launch.number,
                               Message::plural(launch.inconsistent_reads, "{} read", "{} reads",
                                               count_text(launch.inconsistent_reads))),
                       last_step_of(launch.number)});
  }
  for (const Unchecked& one : unchecked_accesses(info))
    notes.push_back({Severity::Note, Message("not checked"), one.what, last_step_of(one.launch)});
  if (!info.complete)
    notes.push_back({Severity::Warning, Message("incomplete"),
                     Message("The run ended early: what came after the last step is not in the file."), info.steps});
  return notes;
}

// In the language that is set.
void name_segments(const TraceInfo& info, TraceFacts& facts) {
  facts.language = language_code();
  facts.segment_names.clear();
  for (std::size_t s = 0; s < info.segments.size(); ++s) facts.segment_names.push_back(segment_name(info, s));
}

}  // namespace

std::string text_of(const TraceNote& note) {
  std::string text = note.text.translated();
  // A finding's message has no capital, because its class precedes it in a list. Names of buffers and kernels stay as they
  // are: other languages may begin with one, and English with "F[3]".
  const std::size_t word = text.find_first_of(" -[(");
  const bool plain =
      note.finding && language_code() == "en" && word < text.size() && (text[word] == ' ' || text[word] == '-');
  if (plain && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 32);
  return text;
}

std::string titled_text_of(const TraceNote& note) { return note.title.translated() + ": " + text_of(note); }

std::shared_ptr<const TraceFacts> gather_facts(Document& document) {
  const TraceInfo& info = document.info();
  auto facts = std::make_shared<TraceFacts>();
  facts->stages = stage_count(info);
  for (const LaunchInfo& launch : info.launches)
    facts->segments_of_launch.push_back(
        static_cast<std::size_t>(std::count_if(info.segments.begin(), info.segments.end(), [&](const Segment& segment) {
          return segment.launch == launch.number;
        })));
  name_segments(info, *facts);
  facts->notes = gather_notes(info);
  return facts;
}

const TraceFacts& facts_of(Document& document) {
  if (!document.facts) {
    auto facts = std::make_shared<TraceFacts>(*gather_facts(document));
    if (document.findings_kept_back)
      facts->notes.clear();
    else
      add_notes(*facts, findings_at_once(document));
    document.facts = std::move(facts);
  } else if (document.facts->language != language_code()) {
    auto facts = std::make_shared<TraceFacts>(*document.facts);
    name_segments(document.info(), *facts);
    document.facts = std::move(facts);
  }
  return *document.facts;
}

void keep_findings_back(Document& document, bool back) {
  if (document.findings_kept_back == back) return;
  document.findings_kept_back = back;
  document.facts.reset();
}

}  // namespace twiddle
