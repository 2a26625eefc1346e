// What a mark leads to, and what is lit because of it.
#include "viewer/facts/links.h"

#include "viewer/facts/trace_facts.h"

#include <algorithm>

namespace twiddle {
namespace {

Linked links_of_operation(Document& document, std::uint64_t step) {
  Linked linked;
  const TraceInfo& info = document.info();
  if (step == 0 || step > info.steps) return linked;
  linked.operation = document.replay->operation(step);
  linked.launch = linked.operation->launch;
  linked.item = linked.operation->item;
  linked.segment = static_cast<int>(document.replay->segment_of(step));
  if (const LaunchInfo* launch = info.launch(linked.launch)) linked.source = launch->source;
  linked.line = linked.operation->line;
  return linked;
}

// The operations at fault, their common element, and the line.
Linked links_of_finding(Document& document, const Finding& finding) {
  Linked linked = links_of_operation(document, finding.step);
  linked.launch = finding.launch;
  linked.culprits = finding.items;
  if (!finding.items.empty()) linked.item = finding.items.front();
  const std::vector<BufferInfo>& buffers = document.info().buffers;
  const auto buffer = static_cast<std::size_t>(finding.buffer);
  if (finding.buffer >= 0 && finding.element && *finding.element < buffers[buffer].count) {
    linked.buffer = finding.buffer;
    linked.index = finding.element;
  }
  linked.source = finding.source;
  linked.line = finding.line;
  return linked;
}

}  // namespace

bool includes(const SmallList<Access, 4>& accesses, int buffer, std::uint64_t index) {
  return std::any_of(accesses.begin(), accesses.end(),
                     [&](const Access& access) { return access.buffer == buffer && access.index == index; });
}

Linked links_of(Document& document, const Mark& mark) {
  Linked linked;
  if (mark.side != 0) return linked;  // of another trace (Comparison::counterpart finds its counterpart here)
  const TraceInfo& info = document.info();
  switch (mark.kind) {
    case MarkKind::Operation:
    case MarkKind::Bookmark: return links_of_operation(document, mark.step);
    case MarkKind::Element: {
      // The operation that made the element what it is after that segment.
      const auto segment = static_cast<std::size_t>(mark.segment);
      if (info.buffer(mark.buffer) && mark.segment >= 0 && segment < info.segments.size() &&
          info.segments[segment].count > 0) {
        const std::uint64_t at = info.segments[segment].end_step() - 1;
        const std::uint64_t group = mark.item;
        if (const std::uint64_t writer = document.replay->last_writer(mark.buffer, group, mark.index, at))
          linked = links_of_operation(document, writer);
      }
      linked.buffer = mark.buffer;
      linked.index = mark.index;
      return linked;
    }
    case MarkKind::Item:
      if (mark.step > 0) linked = links_of_operation(document, mark.step);
      linked.launch = mark.launch;
      linked.item = mark.item;
      linked.whole_item = true;
      return linked;
    case MarkKind::Segment: linked.segment = mark.segment; return linked;
    case MarkKind::Launch: linked.launch = mark.launch; return linked;
    case MarkKind::Line:
      linked.source = mark.buffer;
      linked.line = static_cast<int>(mark.index);
      return linked;
    case MarkKind::Finding: {
      const std::vector<TraceNote>& notes = facts_of(document).notes;
      const auto number = static_cast<std::size_t>(mark.index);
      if (number < notes.size() && notes[number].finding) return links_of_finding(document, *notes[number].finding);
      return links_of_operation(document, mark.step);
    }
    default: return linked;
  }
}

Links::Links(Document& document, const Cursor& cursor, bool hides_next) {
  const auto followed = [&](const Mark& mark) {
    Linked linked = links_of(document, mark);
    if (!hides_next || !linked.operation || linked.operation->step <= cursor.step) return linked;
    Linked element;
    element.buffer = linked.buffer, element.index = linked.index;
    return element;
  };
  if (cursor.hover) hover = followed(*cursor.hover);
  if (cursor.pinned) pinned = followed(*cursor.pinned);
}

// 2 for what is hovered, 1 for what is pinned, when `is` holds for it.
template <typename Is>
int Links::strength(const Is& is) const {
  return is(hover) ? 2 : is(pinned) ? 1 : 0;
}

int Links::lit_step(std::uint64_t step) const {
  return strength([&](const Linked& linked) { return linked.operation && linked.operation->step == step; });
}

int Links::lit_operation(const Operation& operation) const {
  return strength([&](const Linked& linked) {
    if (linked.whole_item) return linked.launch == operation.launch && linked.item == operation.item;
    // An element, or a finding at one, lights its cone instead.
    return linked.operation && linked.operation->step == operation.step && !linked.index;
  });
}

int Links::lit_item(int launch, std::uint64_t item) const {
  return strength([&](const Linked& linked) {
    const auto& culprits = linked.culprits;
    return linked.launch == launch &&
           (linked.item == item || std::find(culprits.begin(), culprits.end(), item) != culprits.end());
  });
}

int Links::lit_element(int buffer, std::uint64_t index) const {
  return strength([&](const Linked& linked) {
    if (linked.buffer == buffer && linked.index == index) return true;
    // An element hovered by itself lights itself; an operation lights all that it touched.
    return !linked.index && linked.operation &&
           (includes(linked.operation->reads, buffer, index) || includes(linked.operation->writes, buffer, index));
  });
}

int Links::lit_line(int source, int line) const {
  return strength([&](const Linked& linked) { return linked.line == line && linked.source == source && line > 0; });
}

int Links::lit_segment(int number) const {
  return strength([&](const Linked& linked) { return linked.segment == number && number >= 0; });
}

}  // namespace twiddle
