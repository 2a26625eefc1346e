// What panels show of a whole trace, gathered once: names of its segments, and what is missing in it.
#pragma once

#include "viewer/document/document.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace twiddle {

/// Something that is not as it should be: what the checks found, and what the trace says by itself (operations lost, values
/// it cannot explain).
struct TraceNote {
  Severity severity = Severity::Note;
  Message title;                     // "operations lost"
  Message text;                      // one or two sentences
  std::uint64_t step = 0;            // where to look
  std::optional<Finding> finding{};  // of the checks
};
/// A note's text in the language that is set, and the same after its title: "operations lost: …".
std::string text_of(const TraceNote& note);
std::string titled_text_of(const TraceNote& note);

struct TraceFacts {
  std::string language;  // of the names: a code of set_language()
  int stages = 0;
  std::vector<std::string> segment_names;       // "bit reversal", "stage 2", "load"
  std::vector<std::size_t> segments_of_launch;  // how many segments launches[i] has
  std::vector<TraceNote> notes;
};

/// Gathers them from the trace's tables; decodes nothing.
std::shared_ptr<const TraceFacts> gather_facts(Document& document);
/// The document's own, gathered when first asked for, with names in the language that is set; with the findings where the trace
/// is small (viewer/facts/findings.h).
const TraceFacts& facts_of(Document& document);
/// Nothing is noted of a trace while the user is to find the error without help; afterwards it is there again.
void keep_findings_back(Document& document, bool back);

}  // namespace twiddle
