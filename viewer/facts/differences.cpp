#include "viewer/facts/differences.h"

#include "base/error.h"
#include "base/retold.h"
#include "base/say.h"
#include "tracer/replay/diff.h"
#include "tracer/replay/position.h"
#include "viewer/words/operation_text.h"
#include "viewer/words/twiddle_name.h"
#include "viewer/words/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace twiddle {
namespace {

constexpr int digits = 6;

std::string indices(const Operation& operation) {
  std::string text;
  for (const Access& access : operation.writes.empty() ? operation.reads : operation.writes)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", access.index);
  return text;
}

/// The first value of two lists that is not the same: its place, or −1.
int first_other(const FewOf<Access, 4>& a, const FewOf<Access, 4>& b) {
  for (int i = 0; i < std::min(a.size(), b.size()); ++i)
    if (a[i].known && b[i].known && !(a[i].value == b[i].value)) return i;
  return -1;
}

/// What matters most of a difference, in a few words.
std::string words(const Difference& difference, Told told) {
  const bool sides = told == Told::LeftAndRight;
  if (!difference.first)
    return sides ? tr("only the right one has this operation") : tr("this operation was not there before");
  if (!difference.second)
    return sides ? tr("only the left one has this operation") : tr("the operation that was here is gone");
  const Operation &a = *difference.first, &b = *difference.second;
  if (difference.has(DiffAspect::Kind))
    return sides ? say("a {} on the left, a {} on the right", word_of(a.kind), word_of(b.kind))
                 : say("it was a {}, and is a {}", word_of(a.kind), word_of(b.kind));
  if (difference.has(DiffAspect::Place))
    return sides ? say("it works on {} on the left, {} on the right", indices(a), indices(b))
                 : say("it worked on {}, and now on {}", indices(a), indices(b));
  if (difference.has(DiffAspect::Twiddle))
    for (int i = 0; i < std::min(a.coefficients.size(), b.coefficients.size()); ++i) {
      if (a.coefficients[i] == b.coefficients[i]) continue;
      const std::string was = value_text(a.coefficients[i], digits), is = value_text(b.coefficients[i], digits);
      return sides ? say("its factor is {} on the left, {} on the right", was, is)
                   : say("its factor was {}, and is {}", was, is);
    }
  if (difference.has(DiffAspect::Epoch))
    return sides ? say("it is in epoch {} on the left, {} on the right", a.epoch, b.epoch)
                 : say("it was in epoch {}, and is in epoch {}", a.epoch, b.epoch);
  if (const int i = first_other(a.reads, b.reads); i >= 0) {
    const std::string was = value_text(a.reads[i].value, digits), is = value_text(b.reads[i].value, digits);
    return sides ? say("it reads {} on the left, {} on the right", was, is) : say("it read {}, and now {}", was, is);
  }
  if (const int i = first_other(a.writes, b.writes); i >= 0) {
    const std::string was = value_text(a.writes[i].value, digits), is = value_text(b.writes[i].value, digits);
    return sides ? say("it writes {} on the left, {} on the right", was, is) : say("it wrote {}, and now {}", was, is);
  }
  return tr("it differs");
}

std::string summary(const TraceDiff& diff, const DifferenceOptions& options) {
  if (options.told == Told::BeforeAndAfter)
    return plural(diff.differing, "{} operation is not as in the run before.",
                  "{} operations are not as in the run before.");
  return say("Of {} positions that both have, {} by more than {} ulps.", count_text(diff.compared),
             plural(diff.differing, "{} operation differs", "{} operations differ"), options.ulps);
}

}  // namespace

std::vector<TraceNote> differences_between(const std::shared_ptr<const TraceSource>& first,
                                           const std::shared_ptr<const TraceSource>& second,
                                           const DifferenceOptions& options) {
  const bool sides = options.told == Told::LeftAndRight;
  const char* title = sides ? translatable("parts") : translatable("changed");
  std::vector<TraceNote> notes;
  const auto note = [&](Severity severity, std::uint64_t step, std::function<std::string()> text) {
    return TraceNote{severity, tr(title),
                     text(),   step,
                     {},       [title, text](TraceNote& told) {
                       told.title = tr(title), told.text = text(); }};
  };
  std::uint64_t step = 0;  // of the last operation that the trace has in which steps count
  DiffOptions diff_options;
  diff_options.ulps = options.ulps;
  diff_options.each = [&](const Difference& difference) {
    const auto &own = sides ? difference.first : difference.second,
               &other = sides ? difference.second : difference.first;
    if (own) step = own->step;
    if (notes.size() >= options.most) return;
    Position position = position_of(own ? *own : *other);
    position.nth = difference.nth;
    const bool parts = sides && (difference.begins() || difference.has(DiffAspect::Presence));
    notes.push_back(note(parts ? Severity::Error : Severity::Note, step,
                         [difference, place = to_string(position), told = options.told] {
                           return place + ": " + words(difference, told);
                         }));
  };
  if (options.go_on) diff_options.progress = [&](double) { return options.go_on(); };
  try {
    const TraceDiff diff = diff_traces(first, second, diff_options);
    const TraceInfo& info = (sides ? first : second)->info();
    if (diff.end)
      notes.push_back(note(
          sides ? Severity::Error : Severity::Note, info.steps,
          [count = diff.end->elements, sides, name = info.buffers[static_cast<std::size_t>(diff.end->buffer)].name] {
            const std::string elements = plural(count, "{} element", "{} elements");
            return sides ? say("No operation differs, but {} of {} do at the end.", elements, name)
                         : say("No operation differs from the run before, but {} of {} do at the end.", elements, name);
          }));
    if (diff.differing > 0)
      notes.insert(notes.begin(), note(Severity::Note, notes.empty() ? 0 : notes.front().step,
                                       [diff, options] { return summary(diff, options); }));
  } catch (const Error& error) {
    return {note(Severity::Note, 0, [sides, why = std::string(error.what())] {
      return sides ? say("Stepped together, but not compared: {}", retold(why))
                   : say("Not compared with the run before: {}", retold(why));
    })};
  }
  return notes;
}

void add_notes(Document& document, const std::vector<TraceNote>& notes) {
  if (notes.empty()) return;
  const auto facts = std::make_shared<TraceFacts>(facts_of(document));
  facts->notes.insert(facts->notes.end(), notes.begin(), notes.end());
  document.facts = facts;
}

}  // namespace twiddle
