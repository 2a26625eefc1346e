#include "viewer/compare/differences.h"

#include "base/error.h"
#include "tracer/replay/diff.h"
#include "tracer/replay/position.h"
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
int first_other(const SmallList<Access, 4>& a, const SmallList<Access, 4>& b) {
  for (int i = 0; i < std::min(a.size(), b.size()); ++i)
    if (a[i].known && b[i].known && !(a[i].value == b[i].value)) return i;
  return -1;
}

/// What matters most of a difference, in a few words.
Message words(const Difference& difference, Wording wording) {
  const bool sides = wording == Wording::LeftAndRight;
  if (!difference.first)
    return sides ? Message("only the right one has this operation") : Message("this operation was not there before");
  if (!difference.second)
    return sides ? Message("only the left one has this operation") : Message("the operation that was here is gone");
  const Operation &a = *difference.first, &b = *difference.second;
  if (difference.has(DiffAspect::Kind)) {
    const Message was = Message::of(name_of(a.kind)), is = Message::of(name_of(b.kind));
    return sides ? Message("a {} on the left, a {} on the right", was, is)
                 : Message("it was a {}, and is a {}", was, is);
  }
  if (difference.has(DiffAspect::Place))
    return sides ? Message("it works on {} on the left, {} on the right", indices(a), indices(b))
                 : Message("it worked on {}, and now on {}", indices(a), indices(b));
  if (difference.has(DiffAspect::Twiddle))
    for (int i = 0; i < std::min(a.coefficients.size(), b.coefficients.size()); ++i) {
      if (a.coefficients[i] == b.coefficients[i]) continue;
      const std::string was = value_text(a.coefficients[i], digits), is = value_text(b.coefficients[i], digits);
      return sides ? Message("its factor is {} on the left, {} on the right", was, is)
                   : Message("its factor was {}, and is {}", was, is);
    }
  if (difference.has(DiffAspect::Epoch))
    return sides ? Message("it is in epoch {} on the left, {} on the right", a.epoch, b.epoch)
                 : Message("it was in epoch {}, and is in epoch {}", a.epoch, b.epoch);
  if (const int i = first_other(a.reads, b.reads); i >= 0) {
    const std::string was = value_text(a.reads[i].value, digits), is = value_text(b.reads[i].value, digits);
    return sides ? Message("it reads {} on the left, {} on the right", was, is)
                 : Message("it read {}, and now {}", was, is);
  }
  if (const int i = first_other(a.writes, b.writes); i >= 0) {
    const std::string was = value_text(a.writes[i].value, digits), is = value_text(b.writes[i].value, digits);
    return sides ? Message("it writes {} on the left, {} on the right", was, is)
                 : Message("it wrote {}, and now {}", was, is);
  }
  return Message("it differs");
}

Message summary(const TraceDiff& diff, const DifferenceOptions& options) {
  if (options.wording == Wording::BeforeAndAfter)
    return Message::plural(diff.differing, "{} operation is not as in the run before.",
                           "{} operations are not as in the run before.", count_text(diff.differing));
  return Message(
      "Of {} positions that both have, {} by more than {} ulps.", count_text(diff.compared),
      Message::plural(diff.differing, "{} operation differs", "{} operations differ", count_text(diff.differing)),
      options.ulps);
}

}  // namespace

std::vector<TraceNote> differences_between(const std::shared_ptr<const TraceSource>& first,
                                           const std::shared_ptr<const TraceSource>& second,
                                           const DifferenceOptions& options) {
  const bool sides = options.wording == Wording::LeftAndRight;
  const Message title = sides ? Message("parts") : Message("changed");
  std::vector<TraceNote> notes;
  std::uint64_t step = 0;  // of the last operation that the trace has in which steps count
  DiffOptions diff_options;
  diff_options.ulps = options.ulps;
  diff_options.each = [&](const Difference& difference) {
    const auto &own = sides ? difference.first : difference.second,
               &other = sides ? difference.second : difference.first;
    if (own) step = own->step;
    if (options.each) options.each(difference);
    if (notes.size() >= options.most) return;
    Position position = position_of(own ? *own : *other);
    position.nth = difference.nth;
    const bool parts = sides && (difference.begins() || difference.has(DiffAspect::Presence));
    notes.push_back({parts ? Severity::Error : Severity::Note, title,
                     Message::verbatim(to_string(position) + ": ") += words(difference, options.wording), step});
  };
  if (options.go_on) diff_options.progress = [&](double) { return options.go_on(); };
  try {
    const TraceDiff diff = diff_traces(first, second, diff_options);
    if (options.done) options.done(diff);
    const TraceInfo& info = (sides ? first : second)->info();
    if (diff.end) {
      const std::string& name = info.buffers[diff.end->buffer].name;
      const Message elements =
          Message::plural(diff.end->elements, "{} element", "{} elements", count_text(diff.end->elements));
      notes.push_back(
          {sides ? Severity::Error : Severity::Note, title,
           sides ? Message("No operation differs, but {} of {} do at the end.", elements, name)
                 : Message("No operation differs from the run before, but {} of {} do at the end.", elements, name),
           info.steps});
    }
    if (diff.differing > 0)
      notes.insert(notes.begin(),
                   {Severity::Note, title, summary(diff, options), notes.empty() ? 0 : notes.front().step});
  } catch (const Error& error) {
    return {{Severity::Note, title,
             sides ? Message("Stepped together, but not compared: {}", error.message())
                   : Message("Not compared with the run before: {}", error.message()),
             0}};
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
