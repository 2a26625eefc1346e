// Kernels that are edited in the window, and the tabs of the runs.
#include "base/error.h"
#include "base/tr.h"
#include "viewer/control/window_control.h"
#include "viewer/input/text_line.h"
#include "viewer/panels/panels.h"
#include "viewer/state/window_layout.h"
#include "viewer/words/source_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

namespace twiddle {
namespace {

constexpr float editor_wheel_rows = 3;

bool on_editor(const Mark& mark) { return mark.kind == MarkKind::Pane && mark.command == editor_mark; }

Font code_font(const WindowState& state) { return Ink{window_layout(state).scale}.code(); }

}  // namespace

bool WindowControl::editing() const { return state_.editing() && editor_box(state_).w > 0; }

/// Opens the source that is shown, at the line that ran or at a pinned one.
void WindowControl::edit_source() {
  const TraceInfo& info = document_->info();
  if (!state_.can_run || !actions_.run_edited) {
    state_.message = tr("Nothing can be run again from here, so the kernel stays as it is.");
    return;
  }
  if (state_.predict != Predict::Off) {
    state_.message = tr("While something is asked the kernel stays as it is.");
    return;
  }
  if (state_.beside || state_.presenting) {
    state_.message = tr("The kernel is edited where one run is shown alone.");
    return;
  }
  int source = info.launches.empty() ? 0 : info.launches.front().source, line = 0;
  if (state_.cursor.step > 0) {
    const Operation now = document_->replay->operation(state_.cursor.step);
    if (const LaunchInfo* launch = info.launch(now.launch)) source = launch->source, line = now.line;
  } else if (!info.launches.empty() && source >= 0 && static_cast<std::size_t>(source) < info.sources.size()) {
    line = kernel_lines(source_lines(info.sources[static_cast<std::size_t>(source)].text), info.launches.front().kernel)
               .first;
  }
  for (const std::optional<Mark>& mark : {state_.cursor.pinned, state_.cursor.hover})
    if (mark && mark->kind == MarkKind::Line) source = mark->buffer, line = static_cast<int>(mark->index);
  if (source < 0 || static_cast<std::size_t>(source) >= info.sources.size()) {
    state_.message = tr("The trace has no source to edit.");
    return;
  }
  const std::string& name = info.sources[static_cast<std::size_t>(source)].name;
  const bool known = state_.editor.drafts.contains(name);
  if (!state_.editor.begin(info, name)) {
    state_.message = tr("{} cannot be edited here: it is too long, or the trace has several of that name.", name);
    return;
  }
  state_.side_tab = SideTab::Source;
  if (editor_box(state_).w <= 0) {
    state_.editor.close();
    state_.message = tr("There is no room for the source here: make the window wider.");
    return;
  }
  TextArea& area = state_.editor.draft()->area;
  if (!known && line > 0) area.go(area.line_begin(line), false);
  const EditorView view = editor_view(state_, editor_box(state_));
  state_.scroll["editor"] = static_cast<float>(std::max(0, view.row_of(area.caret()) - view.shown / 3));
  reveal_caret();
}

/// The editor is scrolled as little as is needed to show the caret.
void WindowControl::reveal_caret() {
  const SourceEditor::Draft* draft = state_.editor.draft();
  const EditorView view = editor_view(state_, editor_box(state_));
  if (!draft || view.shown < 1) return;
  const int row = view.row_of(draft->area.caret());
  state_.scroll["editor"] = static_cast<float>(std::clamp(view.first, row - view.shown + 1, row));
}

void WindowControl::reveal_line(int line) {
  const EditorView view = editor_view(state_, editor_box(state_));
  const auto row = std::find_if(view.rows.begin(), view.rows.end(), [&](const auto& one) { return one.line == line; });
  if (row == view.rows.end()) return;
  const int at = static_cast<int>(row - view.rows.begin());
  if (at < view.first || at >= view.first + view.shown)
    state_.scroll["editor"] = static_cast<float>(std::max(0, at - view.shown / 3));
  touch();
}

void WindowControl::show_problems() {
  for (const SourceProblem& problem : state_.problems)
    if (problem.source == state_.editor.name) return reveal_line(problem.line);
}

void WindowControl::close_editor() {
  const bool changed = state_.editor.changed();
  state_.editor.close();
  if (changed) state_.message = tr("What was edited is kept: E shows it again, Ctrl Enter runs it.");
}

void WindowControl::type_text(std::string_view text) {
  SourceEditor::Draft* draft = state_.editor.draft();
  if (!draft) return;
  if (!draft->area.insert(text)) state_.message = tr("A kernel may have {} KiB here.", TextArea::max_bytes >> 10);
  reveal_caret();
  touch();
}

/// A key while the source is edited: the text's own, or one that any window has.
bool WindowControl::editor_key(const Chord& chord) {
  TextArea& area = state_.editor.draft()->area;
  const auto is = [&](const char* key) { return chord.ctrl && !chord.alt && !chord.shift && chord.key == key; };
  if (chord.key == "Escape") {
    command(Command::CloseEditor);
  } else if (is("Enter")) {
    command(Command::RunEdited);
  } else if (is("S")) {
    command(Command::SaveKernel);
  } else if (is("C") || is("X")) {
    const std::string chosen = area.selection();
    if (chosen.empty()) return true;
    if (actions_.copy) actions_.copy(chosen);
    if (chord.key == "X") type_text({});
  } else if (is("V")) {
    if (actions_.paste) type_text(actions_.paste());
  } else if (area.edit(chord, editor_view(state_, editor_box(state_)).shown - 1)) {
    reveal_caret();
  } else if (!chord.ctrl && !chord.alt && (chord.key == "Space" || chord.key.size() == 1)) {
    return true;  // its letter comes by itself
  } else {
    return command_key(chord);
  }
  touch();
  return true;
}

void WindowControl::run_edited() {
  if (!state_.can_run || !actions_.run_edited) {
    state_.message = tr("Nothing can be run again from here, so the kernel stays as it is.");
    return;
  }
  if (!state_.editor.open && !state_.editor.changed()) {
    state_.message = tr("No kernel was edited: E edits the one that is shown.");
    return;
  }
  if (state_.run_fraction >= 0) {
    state_.message = tr("A run is under way: Esc cancels it.");
    return;
  }
  actions_.run_edited();
}

/// To the user's own file; of one of ours, which stays as it is, asks for the name of a copy.
void WindowControl::save_kernel() {
  if (!actions_.save_kernel) {
    state_.message = tr("Nothing can be saved from here.");
    return;
  }
  if (!state_.editor.open) edit_source();
  const SourceEditor::Draft* draft = state_.editor.draft();
  if (!draft) return;
  const std::string name = state_.editor.name;
  if (actions_.own_kernel && actions_.own_kernel(name)) {
    try {
      actions_.save_kernel(name, {});
    } catch (const Error& error) { state_.message = error.message().translated(); }
    return;
  }
  const std::filesystem::path file(name);
  std::error_code failed;
  std::filesystem::path copy = file.stem().string() + "-edited" + file.extension().string();
  for (int i = 2; std::filesystem::exists(copy, failed) && i < 1000; ++i)
    copy = fmt::format("{}-edited-{}{}", file.stem().string(), i, file.extension().string());
  open_text_entry(TextEntry::Kind::Save, std::filesystem::absolute(copy, failed).string());
  state_.text_entry.about = "kernel";
}

void WindowControl::edit_command(Command command, std::uint64_t index) {
  const RunBar& runs = state_.runs;
  const std::size_t count = runs.tabs.size();
  const auto show = [&](std::size_t which) {
    if (actions_.show_run && which < count) actions_.show_run(which);
  };
  switch (command) {
    case Command::EditSource: edit_source(); break;
    case Command::RunEdited: run_edited(); break;
    case Command::SaveKernel: save_kernel(); break;
    case Command::CloseEditor: close_editor(); break;
    case Command::RevertSource:
      if (!state_.editor.open) edit_source();
      state_.editor.take_back();
      break;
    case Command::GoToProblem: {
      std::uint64_t n = 0;
      for (const SourceProblem& problem : state_.problems)
        if (problem.source == state_.editor.name && n++ == index && state_.editor.draft()) {
          TextArea& area = state_.editor.draft()->area;
          area.go(area.line_begin(problem.line), false);
          state_.editor.focused = true;
          reveal_line(problem.line);
        }
      break;
    }
    case Command::NextRun:
    case Command::PreviousRun:
      if (count > 1)
        show((runs.shown + (command == Command::NextRun ? 1 : count - 1)) % count);
      else
        state_.message = tr("There is no other run: R, Ctrl Enter and the fields at the top make one.");
      break;
    case Command::CompareRuns:
      if (count < 2 || !actions_.compare_runs)
        state_.message = tr("There is no other run: R, Ctrl Enter and the fields at the top make one.");
      else if (runs.beside)
        show(runs.shown);  // and it is alone again
      else
        actions_.compare_runs(runs.shown > 0 ? runs.shown - 1 : 1, runs.shown);
      break;
    case Command::ShowRun: show(index); break;
    case Command::CloseRun:
      if (actions_.close_run && count > 1) actions_.close_run(runs.shown);
      break;
    case Command::CloseRunTab:
      if (actions_.close_run && count > 1 && index < count) actions_.close_run(index);
      break;
    default: break;
  }
}

/// A press in the editor sets the caret; one beside it gives the keys back to the window. True: nothing else is pressed.
bool WindowControl::press_editor(const MarkText* mark, Point at) {
  if (!state_.editor.open || state_.covered()) return false;
  if (mark && on_editor(mark->mark)) {
    state_.editor.focused = true;
    drag_ = Drag::Text;
    point_caret(at, shift_);
    return true;
  }
  if (!editor_box(state_).contains(at)) state_.editor.focused = false, touch();
  return false;
}

void WindowControl::point_caret(Point at, bool select) {
  SourceEditor::Draft* draft = state_.editor.draft();
  if (!draft) return;
  const EditorView view = editor_view(state_, editor_box(state_));
  draft->area.go(view.offset_at(draft->area.text(), code_font(state_), at), select);
  if (select) reveal_caret();
  touch();
}

void WindowControl::wheel_editor(float clicks) {
  const EditorView view = editor_view(state_, editor_box(state_));
  const auto last = static_cast<float>(std::max(0, static_cast<int>(view.rows.size()) - view.shown));
  state_.scroll["editor"] = std::clamp(static_cast<float>(view.first) - clicks * editor_wheel_rows, 0.0f, last);
  touch();
}

void WindowControl::drag_tab(Point at) {
  if (!moved_ || !pressed_) return;
  state_.runs.dragged = static_cast<std::size_t>(pressed_->index);
  const Box bar = window_layout(state_).runs;
  state_.runs.at = {at.x - bar.x, at.y - bar.y};
  touch();
}

/// A tab that is dropped on another is shown beside it.
void WindowControl::drop_tab(Point at) {
  const std::optional<std::size_t> dragged = std::exchange(state_.runs.dragged, std::nullopt);
  touch();
  if (!dragged || !actions_.compare_runs) return;
  const std::vector<Box> boxes = run_tab_boxes(state_, window_layout(state_).runs);
  for (std::size_t i = 0; i < boxes.size(); ++i)
    if (boxes[i].contains(at) && i != *dragged) return actions_.compare_runs(i, *dragged);
}

}  // namespace twiddle
