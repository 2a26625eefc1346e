// Places to go to: where a condition holds, bookmarks, findings; and the history of an element.
#include "base/error.h"
#include "base/tr.h"
#include "tracer/checks/fix_lines.h"
#include "tracer/file/trace_file.h"
#include "viewer/control/window_control.h"
#include "viewer/facts/repair_text.h"
#include "viewer/facts/twin_lines.h"
#include "viewer/input/stops.h"
#include "viewer/panels/panels.h"

#include <algorithm>

namespace twiddle {
namespace {

constexpr std::size_t max_stops = 6;

}  // namespace

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
    const StopCondition condition = parse_stop(*document_, text);
    auto& stops = state_.watch.stops;
    if (stops.size() >= max_stops) throw usage_error("There are {} conditions already: remove one first.", max_stops);
    if (std::find(stops.begin(), stops.end(), condition) == stops.end()) stops.push_back(condition);
    state_.text_entry = {};
  } catch (const Error& error) { state_.text_entry.error = error.message().translated(); }
  touch();
}

/// The steps of a pinned line of the source are ticks; of one that was let go they are not.
void WindowControl::watch_line(const Mark& line) {
  const auto& sites = document_->info().sites;
  const bool logs = std::any_of(sites.begin(), sites.end(), [&](const Site& site) {
    return site.source == line.buffer && static_cast<std::uint64_t>(std::max(0, site.line)) == line.index;
  });
  if (!logs) return;
  StopCondition condition;
  condition.kind = StopCondition::Kind::Line, condition.index = line.index;
  auto& stops = state_.watch.stops;
  std::erase_if(stops, [&](const StopCondition& one) { return one.kind == condition.kind && one.index == line.index; });
  if (state_.cursor.pinned != line) return;
  if (stops.size() >= max_stops) {
    state_.message = tr("There are {} conditions already: remove one first.", max_stops);
    return;
  }
  stops.push_back(condition);
  state_.message =
      tr("The steps of line {} are ticks: play halts at them. A second click takes them away.", line.index);
}

void WindowControl::next_stop(int by) {
  const auto& stops = state_.watch.stops;
  if (std::none_of(stops.begin(), stops.end(), [](const StopCondition& one) { return one.on; })) {
    state_.message = tr("There is no condition to stop at yet: C sets one.");
    return;
  }
  const std::uint64_t step = next_hit(*document_, stops, playback_.step(), by);
  const bool looking = std::any_of(stops.begin(), stops.end(), [&](const StopCondition& one) {
    return one.on && !hits_of(*document_, one, 0).complete;
  });
  if (step == 0 && looking)
    state_.message = tr("It is still being looked for: try again.");
  else if (step == 0) {
    state_.message = by > 0 ? tr("No condition is met after this step.") : tr("No condition is met before this step.");
    for (const StopCondition& one : stops)  // what was not compared
      for (const Message& remark : hits_of(*document_, one, 0).remarks)
        if (one.on) state_.message += " · " + remark.translated();
  } else
    playback_.seek(step);
}

/// A bookmark at the cursor, in the trace's file and in the list. Throws Error when the file cannot be written.
void WindowControl::keep_bookmark(const std::string& note, bool present) {
  const std::uint64_t step = state_.cursor.step;
  set_bookmark(document_->trace->path(), step, note, present);
  auto& list = document_->bookmarks;
  std::erase_if(list, [&](const auto& bookmark) { return bookmark.step == step; });
  if (!present) return;
  list.push_back({step, note});
  std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.step < b.step; });
}

void WindowControl::toggle_bookmark() {
  const auto& list = document_->bookmarks;
  const bool there =
      std::any_of(list.begin(), list.end(), [&](const auto& bookmark) { return bookmark.step == state_.cursor.step; });
  try {
    keep_bookmark({}, !there);
  } catch (const Error& error) { state_.message = error.message().translated(); }
}

void WindowControl::next_bookmark(int by) {
  std::vector<std::uint64_t> steps;
  for (const auto& bookmark : document_->bookmarks)
    if (bookmark.step <= document_->info().steps) steps.push_back(bookmark.step);
  std::sort(steps.begin(), steps.end());
  if (steps.empty()) {
    state_.message = tr("There are no bookmarks yet: F9 sets one here.");
    return;
  }
  const std::uint64_t here = playback_.step();
  if (by > 0) {
    const auto next = std::upper_bound(steps.begin(), steps.end(), here);
    playback_.seek(next == steps.end() ? steps.front() : *next);  // wraps around
  } else {
    const auto at = std::lower_bound(steps.begin(), steps.end(), here);
    playback_.seek(at == steps.begin() ? steps.back() : *(at - 1));
  }
}

void WindowControl::next_finding(int by) {
  const std::vector<TraceNote>& notes = facts_of(*document_).notes;
  if (notes.empty()) {
    state_.message = tr("There are no findings in this trace.");
    return;
  }
  // By severity, as the list has them, so that the first N shows the worst; wraps around from the one that is shown.
  const auto count = static_cast<std::int64_t>(notes.size());
  const std::optional<Mark>& pinned = state_.cursor.pinned;
  std::int64_t next = by > 0 ? 0 : count - 1;
  if (pinned && pinned->kind == MarkKind::Finding)
    next = (static_cast<std::int64_t>(pinned->index) + by + count) % count;
  show_finding(static_cast<std::uint64_t>(next));
}

void WindowControl::show_finding(std::uint64_t number) {
  const std::vector<TraceNote>& notes = facts_of(*document_).notes;
  if (number >= notes.size()) return;
  const Mark mark{.kind = MarkKind::Finding, .index = number, .step = notes[number].step};
  playback_.seek(mark.step);
  state_.cursor.pinned = mark;
  state_.side_tab = SideTab::Findings;
  state_.scroll.erase("findings");
}

/// Runs the repair of the finding that is looked at, or of the first that has one, beside what is shown; or copies it as a diff.
void WindowControl::use_repair(bool run) {
  const TraceFacts& facts = facts_of(*document_);
  const std::optional<Mark>& pinned = state_.cursor.pinned;
  const std::optional<std::size_t> note =
      repair_note(facts, pinned && pinned->kind == MarkKind::Finding
                             ? std::optional<std::size_t>(static_cast<std::size_t>(pinned->index))
                             : std::nullopt);
  if (!note) {
    state_.message = tr("No repair is known here: Shift R searches one.");
    return;
  }
  try {
    const RepairedText text = repaired_text(document_->info(), *facts.notes[*note].finding);
    if (!run) {
      if (actions_.copy) actions_.copy(diff_of(text.name, text.before, text.after));
      state_.message = tr("Copied: the repair as a diff, for patch -p1.");
    } else if (!state_.can_run || !actions_.run_beside || state_.beside) {
      state_.message = tr("The repair is run where one run is shown alone that can be run again.");
    } else if (state_.run_fraction >= 0) {
      state_.message = tr("A run is under way: Esc cancels it.");
    } else {
      actions_.run_beside(text.name, text.after);
    }
  } catch (const Error& error) { state_.message = error.message().translated(); }
}

void WindowControl::findings_command(Command command, std::uint64_t index) {
  const TraceFacts& facts = facts_of(*document_);
  FindingsList& list = state_.findings;
  switch (command) {
    case Command::FilterFindings:
      if (index < list.hidden.size()) list.hidden[index] = !list.hidden[index];
      break;
    case Command::FoldFindings:
      if (const std::string name = finding_group(facts, index); !name.empty() && list.toggled.erase(name) == 0)
        list.toggled.insert(name);
      break;
    case Command::CloseFindings:
      state_.side_tab = SideTab::Operation;
      if (state_.cursor.pinned && state_.cursor.pinned->kind == MarkKind::Finding) state_.cursor.pinned.reset();
      break;
    case Command::OpenFindings: state_.side_tab = SideTab::Findings; break;
    case Command::GoToFinding:
      if (index >= facts.notes.size()) break;
      state_.trail.leave(playback_.step());
      show_finding(index);
      break;
    case Command::ShowTwin:
      if (const std::string twin = twin_of(document_->info().algorithm); !twin.empty() && actions_.twin)
        actions_.twin(twin);
      break;
    case Command::SearchRepair:
      if (actions_.search_repair)
        actions_.search_repair();
      else
        state_.message = tr("Nothing can be run from here, so no repair is searched.");
      break;
    case Command::TryRepair:
    case Command::CopyRepair: use_repair(command == Command::TryRepair); break;
    default: break;
  }
}

}  // namespace twiddle
