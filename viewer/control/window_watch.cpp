// What the user watches: the history of an element, and conditions to stop at.
#include "base/error.h"
#include "base/tr.h"
#include "viewer/control/window_control.h"
#include "viewer/facts/stops.h"

#include <algorithm>

namespace twiddle {

/// The element that is pointed at, else pinned, else the first that the current operation writes.
std::optional<Place> WindowControl::element_in_question() const {
  const TraceInfo& info = document_->info();
  const auto place_of = [&](int buffer, std::uint64_t index) -> std::optional<Place> {
    const BufferInfo* of = info.buffer(buffer);
    if (!of || of->count == 0) return {};
    // Marks of local arrays count through all groups.
    return of->space == Space::Local ? Place{buffer, index / of->count, index % of->count} : Place{buffer, 0, index};
  };
  for (const std::optional<Mark>& mark : {state_.cursor.hover, state_.cursor.pinned})
    if (mark && mark->kind == MarkKind::Element)
      if (const auto place = place_of(mark->buffer, mark->index)) return place;
  if (state_.cursor.step == 0) return {};
  const Operation op = document_->replay->operation(std::min(state_.cursor.step, info.steps));
  if (op.writes.empty() || op.writes[0].buffer < 0) return {};
  const LaunchInfo* launch = info.launch(op.launch);
  const bool local = info.buffers[static_cast<std::size_t>(op.writes[0].buffer)].space == Space::Local;
  return Place{op.writes[0].buffer, local && launch ? launch->group_of(op.item) : 0, op.writes[0].index};
}

void WindowControl::open_history() {
  Watch& watch = state_.watch;
  const std::optional<Place> place = element_in_question();
  const bool same =
      place && watch.buffer == place->buffer && watch.index == place->index && watch.group == place->group;
  if (watch.history && (!place || same)) {
    watch.history = false;
    return;
  }
  if (!place) {
    state_.message = tr("Point at an element: this shows who read and wrote it.");
    return;
  }
  watch.history = true;
  watch.buffer = place->buffer, watch.index = place->index, watch.group = place->group;
  state_.scroll.erase("history");
}

void WindowControl::add_stop(const std::string& text) {
  state_.text_entry.line = TextLine::selected(text);
  try {
    const StopCondition condition = parse_stop(document_->info(), text);
    auto& stops = state_.watch.stops;
    constexpr std::size_t max_stops = 6;
    if (stops.size() >= max_stops) throw usage_error("There are {} conditions already: remove one first.", max_stops);
    if (std::find(stops.begin(), stops.end(), condition) == stops.end()) stops.push_back(condition);
    state_.text_entry = {};
  } catch (const Error& error) { state_.text_entry.error = error.message().translated(); }
  touch();
}

void WindowControl::next_stop(int by) {
  const auto& stops = state_.watch.stops;
  if (std::none_of(stops.begin(), stops.end(), [](const StopCondition& one) { return one.on; })) {
    state_.message = tr("There is no condition to stop at yet: C sets one.");
    return;
  }
  const std::uint64_t step = next_hit(*document_, stops, playback_.step(), by);
  if (step == 0)
    state_.message = by > 0 ? tr("No condition is met after this step.") : tr("No condition is met before this step.");
  else
    playback_.seek(step);
}

}  // namespace twiddle
