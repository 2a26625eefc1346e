#include "viewer/facts/findings.h"

#include "base/error.h"
#include "tracer/checks/limits.h"
#include "tracer/replay/position.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace twiddle {
namespace {

Message title_of(const Finding& finding) {
  Message title = Message::of(name_of(finding.kind));
  if (finding.launch < 1) return title;
  Position position = position_of(finding);
  position.epoch = -1;  // a title is short
  title += Message::verbatim("  " + to_string(position));
  if (finding.occurrences > 1) title += Message::verbatim(fmt::format(" ×{}", finding.occurrences));
  return title;
}

Message text_of(const Finding& finding) {
  const Message sentence("{}.", finding.message);
  return finding.advice.empty() ? sentence : Message("{} {}", sentence, finding.advice);
}

std::vector<TraceNote> notes_with_unchecked(const TraceInfo& info, const CheckedTrace& checked) {
  std::vector<TraceNote> notes = notes_of(info, checked.findings);
  for (const Unchecked& one : checked.unchecked) {
    const LaunchInfo* launch = info.launch(one.launch);
    const auto segment = std::find_if(info.segments.begin(), info.segments.end(),
                                      [&](const Segment& other) { return other.launch == one.launch; });
    notes.push_back({Severity::Note,
                     Message("not checked"),
                     Message("launch {} ({}): {}", one.launch, launch ? launch->kernel : std::string(), one.what),
                     segment == info.segments.end() ? 0 : segment->first_step,
                     {}});
  }
  return notes;
}

}  // namespace

std::vector<TraceNote> notes_of(const TraceInfo& info, std::span<const Finding> findings) {
  std::vector<TraceNote> notes;
  for (const Finding& finding : findings)
    notes.push_back(
        {finding.severity, title_of(finding), text_of(finding), std::min(finding.step, info.steps), finding});
  return notes;
}

void add_notes(TraceFacts& facts, std::vector<TraceNote> notes) {
  notes.insert(notes.end(), facts.notes.begin(), facts.notes.end());
  std::stable_sort(notes.begin(), notes.end(),
                   [](const TraceNote& a, const TraceNote& b) { return a.severity < b.severity; });
  facts.notes = std::move(notes);
}

const TraceNote* finding_at_step(const TraceFacts& facts, std::uint64_t step) {
  const auto found = std::find_if(facts.notes.begin(), facts.notes.end(), [&](const TraceNote& note) {
    return note.finding && note.step == step && step > 0 && note.severity != Severity::Note;
  });
  return found == facts.notes.end() ? nullptr : &*found;
}

std::vector<TraceNote> findings_at_once(Document& document) {
  if (document.info().steps > checked_at_once) return {};
  return notes_with_unchecked(document.info(), checked_trace(*document.replay));
}

FindingsSearch::FindingsSearch(std::shared_ptr<const TraceSource> trace) {
  if (trace->info().steps <= checked_at_once) return;  // they are there already
  notes_ = std::async(std::launch::async, [this, shared = std::move(trace)]() -> std::vector<TraceNote> {
    try {
      const auto own = shared->another();
      Replay replay(own);
      const CheckedTrace checked = checked_trace(replay, [this](double) { return !stop_; });
      return stop_ ? std::vector<TraceNote>() : notes_with_unchecked(own->info(), checked);
    } catch (const Error& error) {
      return {{Severity::Warning, Message("not checked"), Message("{}.", error.message()), 0, {}}};
    }
  });
}

FindingsSearch::~FindingsSearch() {
  stop_ = true;
  if (notes_.valid()) notes_.wait();
}

std::optional<std::vector<TraceNote>> FindingsSearch::take() {
  if (!notes_.valid() || notes_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return std::nullopt;
  return notes_.get();
}

}  // namespace twiddle
