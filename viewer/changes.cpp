#include "viewer/changes.h"

#include "base/error.h"
#include "tracer/diff.h"
#include "tracer/position.h"
#include "tracer/print.h"
#include "viewer/twiddle_name.h"

#include <fmt/format.h>

namespace twiddle {
namespace {

std::string indices(const Operation& operation) {
  std::string text;
  for (const Access& access : operation.writes.empty() ? operation.reads : operation.writes)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", access.index);
  return text;
}

// The first value of a list that is not the same, as "it was 1, and is −1".
std::string values(const char* what, const FewOf<Access, 4>& before, const FewOf<Access, 4>& after) {
  for (int i = 0; i < std::min(before.size(), after.size()); ++i)
    if (before[i].known && after[i].known && !(before[i].value == after[i].value))
      return fmt::format("{} {}, and now {}", what, short_text(before[i].value, 6), short_text(after[i].value, 6));
  return {};
}

// What matters most of it, in a few words.
std::string words(const Difference& difference) {
  if (!difference.first) return "this operation was not there before";
  if (!difference.second) return "the operation that was here is gone";
  const Operation &a = *difference.first, &b = *difference.second;
  if (difference.has(DiffAspect::Kind))
    return fmt::format("it was a {}, and is a {}", name_of(a.kind), name_of(b.kind));
  if (difference.has(DiffAspect::Place)) return fmt::format("it worked on {}, and now on {}", indices(a), indices(b));
  if (difference.has(DiffAspect::Twiddle))
    for (int i = 0; i < std::min(a.coefficients.size(), b.coefficients.size()); ++i)
      if (!(a.coefficients[i] == b.coefficients[i]))
        return fmt::format("its factor was {}, and is {}", short_text(a.coefficients[i], 6),
                           short_text(b.coefficients[i], 6));
  if (difference.has(DiffAspect::Epoch)) return fmt::format("it was in epoch {}, and is in epoch {}", a.epoch, b.epoch);
  const std::string read = values("it read", a.reads, b.reads);
  return read.empty() ? values("it wrote", a.writes, b.writes) : read;
}

}  // namespace

std::vector<TraceNote> changes_between(const std::shared_ptr<const TraceReader>& before,
                                       const std::shared_ptr<const TraceReader>& after, std::size_t most,
                                       const std::function<bool()>& go_on) {
  std::vector<TraceNote> notes;
  std::uint64_t step = 0;  // of the last operation that `after` has
  DiffOptions options;
  options.each = [&](const Difference& difference) {
    if (difference.second) step = difference.second->step;
    if (notes.size() >= most) return;
    Position position = position_of(difference.second ? *difference.second : *difference.first);
    position.nth = difference.nth;
    notes.push_back({Severity::Note, "changed", to_string(position) + ": " + words(difference), step});
  };
  if (go_on) options.progress = [&](double) { return go_on(); };
  try {
    const TraceDiff diff = diff_traces(before, after, options);
    if (diff.end)
      notes.push_back({Severity::Note, "changed",
                       fmt::format("No operation differs from the run before, but {} of {} do at the end.",
                                   plural(diff.end->elements, "element", "elements"),
                                   after->info().buffers[static_cast<std::size_t>(diff.end->buffer)].name),
                       after->info().steps});
    if (diff.differing > 0)
      notes.insert(notes.begin(), {Severity::Note, "changed",
                                   fmt::format("{} not as in the run before.",
                                               plural(diff.differing, "operation is", "operations are")),
                                   notes.empty() ? 0 : notes.front().step});
  } catch (const Error& error) {
    return {{Severity::Note, "changed", std::string("Not compared with the run before: ") + error.what(), 0}};
  }
  return notes;
}

}  // namespace twiddle
