// Where two traces differ, as notes for the scrub bar and the list: a run before a change of its kernel and after it, or two
// traces side by side.
#pragma once

#include "tracer/replay/diff.h"
#include "viewer/facts/trace_facts.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace twiddle {

/// What the two traces are to each other: that decides in which of them a note's step counts, and how it is worded.
enum class Wording {
  BeforeAndAfter,  // "it read 1, and now 2", at steps of the second
  LeftAndRight     // "it reads 1 on the left, 2 on the right", at steps of the first
};

struct DifferenceOptions {
  Wording wording = Wording::BeforeAndAfter;
  std::uint64_t ulps = 0;         // numbers this near are the same
  std::size_t most = 100;         // notes, beside the one that sums up
  std::function<bool()> go_on{};  // false stops it
  // What else is to be known: each operation that differs, in order, and all of the comparison once it is through.
  std::function<void(const Difference&)> each{};
  std::function<void(const TraceDiff&)> done{};
};

/// A note that sums up, then one for each operation that differs, in order, the first so many. Empty when the traces are the
/// same; one note that says why when they cannot be compared. Reads both files again, so it may run in a thread of its own.
std::vector<TraceNote> differences_between(const std::shared_ptr<const TraceSource>& first,
                                           const std::shared_ptr<const TraceSource>& second,
                                           const DifferenceOptions& options = {});

/// Puts notes beside those that the document has.
void add_notes(Document& document, const std::vector<TraceNote>& notes);

}  // namespace twiddle
