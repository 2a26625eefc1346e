// What the checks find in a trace, as notes for the panels: at once in small traces, in the background in large ones.
#pragma once

#include "viewer/facts/trace_facts.h"

#include <atomic>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace twiddle {

/// A note for each finding, in their order: errors first, and of each severity by place.
std::vector<TraceNote> notes_of(const TraceInfo& info, std::span<const Finding> findings);

/// Puts the notes among the trace's own, those of a severity before the milder ones.
void add_notes(TraceFacts& facts, std::vector<TraceNote> notes);

/// The worst finding of the operation at a step; null where there is none.
const TraceNote* finding_at_step(const TraceFacts& facts, std::uint64_t step);

/// Up to so many operations are checked before the first picture: some ten milliseconds.
inline constexpr std::uint64_t checked_at_once = std::uint64_t(1) << 14;
/// The findings of a trace of at most that many operations; nothing for a larger one.
std::vector<TraceNote> findings_at_once(Document& document);

/// Checks a larger trace in a thread of its own, from the file.
class FindingsSearch {
 public:
  explicit FindingsSearch(std::shared_ptr<const TraceSource> trace);
  ~FindingsSearch();
  FindingsSearch(const FindingsSearch&) = delete;
  FindingsSearch& operator=(const FindingsSearch&) = delete;

  bool running() const { return notes_.valid(); }
  /// The notes, once, when they are there. A trace that cannot be read any more gives one note that says so.
  std::optional<std::vector<TraceNote>> take();

 private:
  std::atomic<bool> stop_{false};
  std::future<std::vector<TraceNote>> notes_;
};

}  // namespace twiddle
