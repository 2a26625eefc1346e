// Conditions to stop at: read from text, and where in a trace they are met.
#pragma once

#include "viewer/compare/partings.h"
#include "viewer/document/document.h"
#include "viewer/facts/watch.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

/// Reads "F[5]", "F[5] written", "|x| > 10", "nan", "item 5", "line 42", "reference", "other trace". Throws Error (usage) with what
/// can be written, or why a condition can never be met in this trace.
StopCondition parse_stop(const TraceInfo& info, std::string_view text);
/// The same of what is shown: Other needs a trace beside it that runs the same kernels.
StopCondition parse_stop(Document& document, std::string_view text);
/// The same for people, in the language that is set: "F[5] is written".
std::string text_of(const TraceInfo& info, const StopCondition& condition);

/// The steps at which a condition is met, ascending; not all of them while `complete` is false.
struct StopHits {
  std::vector<std::uint64_t> steps;
  bool complete = true, truncated = false;
  std::vector<Message>
      remarks{};  // of Reference and Other: how much differs, and what was not compared; a sentence each
  static constexpr std::size_t max_hits = 1 << 16;
};
/// Of an element: from its history. Of what takes the whole run (Above, NotANumber, Reference, Other): from a thread of its own,
/// for which it waits so long. Of items and lines: block by block, as long as `patience_ms` lasts; what was found is kept, and the
/// next call goes on.
///
/// Reference: in each stage the first operation whose results are not those of the reference (compare_stages), and in each that
/// has none on the way the first that left an element of the outcome as it is at the end, and wrong, as verify counts. Other: in
/// each stage the first that is not, within some ulps, what the trace beside this one has at its position (partings_of).
const StopHits& hits_of(Document& document, const StopCondition& condition, double patience_ms);

/// The trace that is shown beside a document's, for the condition Other; null: none.
void set_other_trace(Document& document, std::shared_ptr<const TraceSource> other, std::uint64_t ulps);

/// The next hit of all conditions that are on, after a step (before it with `by` < 0); 0 where there is none.
std::uint64_t next_hit(Document& document, const std::vector<StopCondition>& conditions, std::uint64_t step, int by);

}  // namespace twiddle
