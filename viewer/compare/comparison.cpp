#include "viewer/compare/comparison.h"

#include "viewer/document/flow.h"
#include "viewer/words/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>

namespace twiddle {
namespace {

bool same_buffers(const TraceInfo& a, const TraceInfo& b) {
  return std::equal(a.buffers.begin(), a.buffers.end(), b.buffers.begin(), b.buffers.end(),
                    [](const BufferInfo& x, const BufferInfo& y) {
                      return x.name == y.name && x.type == y.type && x.count == y.count && x.space == y.space;
                    });
}

bool same_launches(const TraceInfo& a, const TraceInfo& b) {
  return std::equal(a.launches.begin(), a.launches.end(), b.launches.begin(), b.launches.end(),
                    [](const LaunchInfo& x, const LaunchInfo& y) {
                      return x.items() == y.items() && x.group_size() == y.group_size();
                    });
}

bool same_kernels(const TraceInfo& a, const TraceInfo& b) {
  std::size_t same = 0;
  for (std::size_t l = 0; l < std::min(a.launches.size(), b.launches.size()); ++l)
    if (a.launches[l].kernel == b.launches[l].kernel) ++same;
  return 2 * same >= a.launches.size();
}

/// What a segment does, in a word that its counterpart in the other trace has, too.
std::vector<std::string> keys_of(const TraceInfo& info, bool alike) {
  std::vector<std::string> keys;
  std::map<OperationKind, int> seen;
  for (const Segment& segment : info.segments) {
    const int number = ++seen[segment.kind];
    if (alike)
      keys.push_back(fmt::format("L{} S{} {}", segment.launch, segment.stage, name_of(segment.kind)));
    else if (segment.kind == OperationKind::Butterfly && segment.span > 0)
      keys.push_back(fmt::format("span {}", segment.span));
    else
      keys.push_back(fmt::format("{} {}", name_of(segment.kind), number));
  }
  return keys;
}

/// The longest sequence of keys that both have, in order: pairs of places.
std::vector<std::pair<int, int>> common(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  const std::size_t n = a.size(), m = b.size();
  std::vector<std::pair<int, int>> pairs;
  constexpr std::size_t max_cells = std::size_t(1) << 22;
  if (n * m > max_cells) {  // so many segments are those of two runs of one program
    for (std::size_t i = 0; i < std::min(n, m) && a[i] == b[i]; ++i)
      pairs.emplace_back(static_cast<int>(i), static_cast<int>(i));
    return pairs;
  }
  std::vector<std::uint32_t> longest((n + 1) * (m + 1), 0);
  const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& { return longest[i * (m + 1) + j]; };
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t j = m; j-- > 0;)
      at(i, j) = a[i] == b[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
  for (std::size_t i = 0, j = 0; i < n && j < m;) {
    if (a[i] == b[j])
      pairs.emplace_back(static_cast<int>(i++), static_cast<int>(j++));
    else if (at(i + 1, j) >= at(i, j + 1))
      ++i;
    else
      ++j;
  }
  return pairs;
}

/// Whether an element holds what a segment makes of it: when the segment is over, or has written it.
bool written(Document& document, const Mark& mark, int segment) {
  if (segment < 0) return true;
  const Segment& of = document.info().segments[segment];
  const std::uint64_t step = document.replay->step();
  if (step + 1 >= of.end_step()) return true;
  return step >= of.first_step &&
         document.replay->last_writer(mark.buffer, mark.item, mark.index, step) >= of.first_step;
}

}  // namespace

Comparison::Comparison(Document& first, Document& second)
    : first_(&first),
      second_(&second),
      alike_(same_buffers(first.info(), second.info()) && same_launches(first.info(), second.info())),
      comparable_(alike_ && same_kernels(first.info(), second.info())) {
  const TraceInfo &a = first.info(), &b = second.info();
  anchors_.push_back({0, 0, -1});
  for (const auto& [i, j] : common(keys_of(a, alike_), keys_of(b, alike_))) {
    const Segment &x = a.segments[i], &y = b.segments[j];
    if (x.count == 0 || y.count == 0) continue;
    anchors_.push_back({x.first_step - 1, y.first_step - 1, static_cast<int>(pairs_.size())});
    anchors_.push_back({x.end_step() - 1, y.end_step() - 1, -1});
    pairs_.push_back({i, j});
  }
  anchors_.push_back({a.steps, b.steps, -1});
}

std::uint64_t Comparison::second_step(std::uint64_t step) const {
  return across(std::min(step, first_->info().steps), false);
}
std::uint64_t Comparison::first_step(std::uint64_t step) const {
  return across(std::min(step, second_->info().steps), true);
}

std::uint64_t Comparison::across(std::uint64_t step, bool back) const {
  const auto here = [back](const Anchor& anchor) { return back ? anchor.second : anchor.first; };
  const auto there = [back](const Anchor& anchor) { return back ? anchor.first : anchor.second; };
  // The stretch (from, to] that holds the step.
  const auto to = std::lower_bound(anchors_.begin(), anchors_.end(), step,
                                   [&](const Anchor& anchor, std::uint64_t s) { return here(anchor) < s; });
  if (to == anchors_.begin()) return 0;
  if (step == here(anchors_.back())) return there(anchors_.back());
  if (here(*to) == step) return there(*to);
  const Anchor& from = *(to - 1);
  const std::uint64_t length = here(*to) - here(from), other = there(*to) - there(from);
  if (from.pair >= 0 && length != other && alike_)
    if (const auto found = by_item(pairs_[from.pair], step, back)) return *found;
  if (length == other) return there(from) + (step - here(from));
  const double share = double(step - here(from)) / double(length);
  return there(from) + std::min(other, static_cast<std::uint64_t>(std::llround(share * double(other))));
}

/// In a segment where one of the two has more operations: the last one there that is not after the item's here.
std::optional<std::uint64_t> Comparison::by_item(const Pair& pair, std::uint64_t step, bool back) const {
  Document &here = back ? *second_ : *first_, &there = back ? *first_ : *second_;
  const Segment& segment = there.info().segments[back ? pair.first : pair.second];
  const auto mine = here.flow().operation(step, true);
  if (!mine) return {};
  std::uint64_t low = segment.first_step, high = segment.end_step();  // the first step that is after it
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    const auto other = there.flow().operation(middle, true);
    if (!other) return {};
    const bool after = other->item > mine->item || (other->item == mine->item && other->slot > mine->slot);
    if (after)
      high = middle;
    else
      low = middle + 1;
  }
  return low - 1;
}

std::optional<int> Comparison::second_segment(int segment) const {
  if (segment < 0) return -1;
  for (const Pair& pair : pairs_)
    if (pair.first == segment) return pair.second;
  return {};
}

std::optional<Mark> Comparison::counterpart(const Mark& mark) const {
  const bool back = mark.side == 1;
  Mark other = mark;
  other.side = back ? 0 : 1;
  if (mark.segment >= 0) {
    const auto found = std::find_if(pairs_.begin(), pairs_.end(), [&](const Pair& pair) {
      return (back ? pair.second : pair.first) == mark.segment;
    });
    if (found == pairs_.end()) return {};
    other.segment = back ? found->first : found->second;
  }
  switch (mark.kind) {
    case MarkKind::Element:
    case MarkKind::Item:
    case MarkKind::Launch:
    case MarkKind::Line:
      if (!alike_) return {};
      break;
    case MarkKind::Operation:
    case MarkKind::Segment: break;
    default: return {};
  }
  if (mark.step > 0) other.step = back ? first_step(mark.step) : second_step(mark.step);
  return other;
}

std::optional<std::pair<Value, Value>> Comparison::values(const Mark& mark) const {
  const auto segment = alike_ ? second_segment(mark.segment) : std::nullopt;
  if (!segment || mark.buffer < 0 || mark.buffer >= static_cast<int>(first_->info().buffers.size())) return {};
  const BufferInfo& buffer = first_->info().buffers[mark.buffer];
  const auto value = [&](Document& document, int after) -> std::optional<Value> {
    const auto state = document.flow().state(after + 1);
    Value read{buffer.type};
    if (!state || !state->read(mark.buffer, mark.item, mark.index,
                               std::span(read.bits.data(), read.bits.size()).first(traits(buffer.type).bytes)))
      return {};
    return read;
  };
  if (!written(*first_, mark, mark.segment) || !written(*second_, mark, *segment)) return {};
  const auto a = value(*first_, mark.segment), b = value(*second_, *segment);
  if (!a || !b) return {};
  return std::pair(*a, *b);
}

double Comparison::magnitude_of(const Mark& element) const {
  const auto both = values(element);
  if (!both) return 0;
  const double larger = std::max(magnitude(both->first), magnitude(both->second));
  return std::isfinite(larger) ? larger : 0;
}

bool Comparison::differs(const Mark& element, double scale) const {
  const auto both = values(element);
  if (!both) return false;
  const ElementTraits& type = traits(both->first.type);
  const double spacing = !type.floating                     ? 0
                         : type.scalar == ElementType::Half ? 0x1p-10
                         : type.wide                        ? std::numeric_limits<double>::epsilon()
                                                            : double(std::numeric_limits<float>::epsilon());
  for (int c = 0; c < type.components; ++c) {
    const double x = both->first.component(c), y = both->second.component(c);
    if (std::isnan(x) && std::isnan(y)) continue;
    if (!(std::abs(x - y) <= double(ulps) * spacing * scale) && x != y) return true;
  }
  return false;
}

}  // namespace twiddle
