#include "viewer/compare/partings.h"

#include "base/error.h"
#include "tracer/replay/diff.h"
#include "viewer/compare/differences.h"
#include "viewer/document/background.h"

#include <algorithm>
#include <utility>

namespace twiddle {
namespace {

struct OtherTrace {
  std::shared_ptr<const TraceSource> trace;
  std::uint64_t ulps = 0;
  std::shared_ptr<Background<Partings>> thread{};
};

// Opens both traces on the thread that reads them: a file may be gone.
Partings compared(const TraceSource& first, const TraceSource& second, std::uint64_t ulps,
                  const std::atomic<bool>& stop) {
  Partings found;
  std::uint64_t step = 0;  // of an operation that this trace lacks: that before it
  DifferenceOptions options{Wording::LeftAndRight, ulps, 100, [&] { return !stop; }};
  options.each = [&](const Difference& difference) {
    if (difference.first) step = difference.first->step;
    const TraceInfo& info = first.info();
    if (info.segments.empty()) return;
    const auto segment =
        static_cast<int>(std::min(info.segment_of(std::max<std::uint64_t>(step, 1)), info.segments.size() - 1));
    if (found.stages.empty() || found.stages.back().segment != segment)
      found.stages.push_back({segment, std::max<std::uint64_t>(step, 1), 0});
    ++found.stages.back().operations;
  };
  bool through = false;
  options.done = [&](const TraceDiff& diff) {
    through = true;
    found.compared = diff.stages;
    found.not_compared = diff.notes;
  };
  try {
    found.notes = differences_between(first.another(), second.another(), options);
    if (!through && !found.notes.empty()) found.not_compared.push_back(found.notes.front().text);  // why they cannot be
  } catch (const Error& error) {
    found.notes = {{Severity::Note, Message("parts"), error.message(), 0}};
    found.not_compared.push_back(error.message());
  }
  return found;
}

}  // namespace

void compare_with(Document& document, std::shared_ptr<const TraceSource> other, std::uint64_t ulps) {
  document.kept<OtherTrace>() = {std::move(other), ulps, nullptr};
}

bool is_compared(Document& document) { return document.kept<OtherTrace>().trace != nullptr; }

const Partings* partings_of(Document& document, double patience_ms) {
  auto& other = document.kept<OtherTrace>();
  if (!other.trace) return nullptr;
  if (!other.thread)
    other.thread = std::make_shared<Background<Partings>>(
        [first = document.trace, second = other.trace, ulps = other.ulps](const std::atomic<bool>& stop) {
          return compared(*first, *second, ulps, stop);
        });
  return other.thread->result(patience_ms);
}

}  // namespace twiddle
