#include "viewer/facts/findings.h"

#include "base/error.h"
#include "base/retold.h"
#include "base/say.h"
#include "tracer/checks/check.h"
#include "tracer/replay/position.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace twiddle {
namespace {

std::string title_of(const Finding& finding) {
  std::string title = tr(name_of(finding.kind).data());
  if (finding.launch < 1) return title;
  Position position = position_of(finding);
  position.epoch = -1;  // a title is short
  title += "  " + to_string(position);
  if (finding.occurrences > 1) title += fmt::format(" ×{}", finding.occurrences);
  return title;
}

// A message has no capital and no full stop, because a class stands before it in a list.
std::string sentence_of(const std::string& message) {
  std::string sentence = message;
  // Names of buffers and kernels stay as they are: other languages may begin with one, and English with "F[3]".
  const std::size_t word = std::min(sentence.find_first_of(" -[("), sentence.size());
  const bool plain =
      language_code() == "en" && word < sentence.size() && (sentence[word] == ' ' || sentence[word] == '-');
  if (plain && sentence[0] >= 'a' && sentence[0] <= 'z') sentence[0] = static_cast<char>(sentence[0] - 32);
  return say("{}.", sentence);
}

}  // namespace

std::vector<TraceNote> notes_of(const TraceInfo& info, std::span<const Finding> findings) {
  std::vector<TraceNote> notes;
  for (const Finding& finding : findings) {
    TraceNote note;
    note.severity = finding.severity;
    note.title = title_of(finding);
    note.text = sentence_of(finding.message);
    if (!finding.advice.empty()) note.text = say("{} {}", note.text, finding.advice);
    note.step = std::min(finding.step, info.steps);
    note.finding = finding;
    notes.push_back(std::move(note));
  }
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
  return notes_of(document.info(), check_trace(*document.replay));
}

FindingsSearch::FindingsSearch(std::shared_ptr<const TraceSource> trace) {
  if (trace->info().steps <= checked_at_once) return;  // they are there already
  notes_ = std::async(std::launch::async, [this, shared = std::move(trace)]() -> std::vector<TraceNote> {
    try {
      const auto own = shared->another();
      Replay replay(own);
      const std::vector<Finding> findings = check_trace(replay, [this](double) { return !stop_; });
      return stop_ ? std::vector<TraceNote>() : notes_of(own->info(), findings);
    } catch (const Error& error) {
      return {{Severity::Warning, tr("not checked"), sentence_of(retold(error.what())), 0, {}}};
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
