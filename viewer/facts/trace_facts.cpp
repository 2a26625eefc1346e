#include "viewer/facts/trace_facts.h"

#include "base/say.h"
#include "viewer/facts/findings.h"
#include "viewer/words/operation_text.h"
#include "viewer/words/twiddle_name.h"

#include <fmt/format.h>

#include <algorithm>

namespace twiddle {
namespace {

std::string segment_name(const TraceInfo& info, const Segment& segment, std::size_t segments_of_launch) {
  if (segment.stage > 0) return say("stage {}", segment.stage);
  const LaunchInfo* launch = launch_numbered(info, segment.launch);
  if (segments_of_launch <= 1 && launch) return launch_name(*launch);
  const auto space = [&](int buffer) {
    const bool named = buffer >= 0 && static_cast<std::size_t>(buffer) < info.buffers.size();
    return named ? info.buffers[static_cast<std::size_t>(buffer)].space : Space::Constant;
  };
  const Space from = space(segment.read_buffer), to = space(segment.write_buffer);
  if (segment.kind == OperationKind::Move && from == Space::Global && to == Space::Local) return tr("load");
  if (segment.kind == OperationKind::Move && from == Space::Local && to == Space::Global) return tr("store");
  return fmt::format("{} {}", word_of(segment.kind), segment.epoch);
}

std::vector<TraceNote> gather_notes(const TraceInfo& info) {
  std::vector<TraceNote> notes;
  const auto last_step_of = [&](int launch) {
    std::uint64_t step = 0;
    for (const Segment& segment : info.segments)
      if (segment.launch <= launch && segment.count > 0) step = std::max(step, segment.end_step() - 1);
    return step;
  };
  if (!info.filter.empty())
    notes.push_back({Severity::Note, tr("filtered"),
                     say("Only {} were kept: what lies outside is not in this trace.", info.filter), 0});
  for (const LaunchInfo& launch : info.launches) {
    if (launch.attempted > launch.kept && info.filter.empty())
      notes.push_back(
          {Severity::Error, tr("operations lost"),
           say("Launch {} logged {}; {} of them could not be kept.", launch.number,
               plural(launch.attempted, "{} operation", "{} operations"), count_text(launch.attempted - launch.kept)),
           last_step_of(launch.number)});
    if (launch.unexplained > 0)
      notes.push_back({Severity::Error, tr("unexplained"),
                       say("After launch {} the device holds {} that the log does not explain.", launch.number,
                           plural(launch.unexplained, "{} element", "{} elements")),
                       last_step_of(launch.number)});
    if (launch.inconsistent_reads > 0)
      notes.push_back({Severity::Error, tr("inconsistent-read"),
                       say("In launch {}, {} saw another value than the log's writes leave there.", launch.number,
                           plural(launch.inconsistent_reads, "{} read", "{} reads")),
                       last_step_of(launch.number)});
  }
  if (!info.complete)
    notes.push_back({Severity::Warning, tr("incomplete"),
                     tr("The run ended early: what came after the last step is not in the file."), info.steps});
  return notes;
}

}  // namespace

std::shared_ptr<const TraceFacts> gather_facts(Document& document) {
  const TraceInfo& info = document.info();
  auto facts = std::make_shared<TraceFacts>();
  facts->language = language_code();
  facts->stages = stage_count(info);
  for (const LaunchInfo& launch : info.launches)
    facts->segments_of_launch.push_back(
        static_cast<std::size_t>(std::count_if(info.segments.begin(), info.segments.end(), [&](const Segment& segment) {
          return segment.launch == launch.number;
        })));
  for (const Segment& segment : info.segments) {
    const LaunchInfo* launch = launch_numbered(info, segment.launch);
    const std::size_t segments =
        launch ? facts->segments_of_launch[static_cast<std::size_t>(launch - info.launches.data())] : 0;
    facts->segment_names.push_back(segment_name(info, segment, segments));
  }
  facts->notes = gather_notes(info);
  return facts;
}

const TraceFacts& facts_of(Document& document) {
  if (!document.facts || document.facts->language != language_code()) {
    auto facts = std::make_shared<TraceFacts>(*gather_facts(document));
    if (document.findings_kept_back)
      facts->notes.clear();
    else
      add_notes(*facts, findings_at_once(document));
    if (document.facts)
      for (TraceNote note : document.facts->notes)
        if (note.retell) note.retell(note), facts->notes.push_back(std::move(note));
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
