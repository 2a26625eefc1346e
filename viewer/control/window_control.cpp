#include "viewer/control/window_control.h"

#include "base/error.h"
#include "base/text.h"
#include "base/tr.h"
#include "viewer/compare/comparison.h"
#include "viewer/document/flow.h"
#include "viewer/document/strokes.h"
#include "viewer/input/stops.h"
#include "viewer/panels/panels.h"
#include "viewer/scene/fonts.h"
#include "viewer/scene/languages.h"
#include "viewer/state/guide.h"
#include "viewer/state/window_layout.h"
#include "viewer/views/cost_strips.h"
#include "viewer/views/view.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace twiddle {
namespace {

constexpr float min_scale = 0.5f, max_scale = 4;
constexpr double readable_row = 40;  // px of a row whose values are written
constexpr float overview_below = 8;  // px of a row: the diagram shows blocks then, and keys go by stages

}  // namespace

ThemeName next_theme(ThemeName theme) { return static_cast<ThemeName>((static_cast<int>(theme) + 1) % 3); }

WindowControl::WindowControl(Document& document, WindowActions actions)
    : document_(&document), playback_(document.info()) {
  state_.fields = trace_fields(document.info());
  set_actions(std::move(actions));
}

void WindowControl::set_actions(WindowActions actions) {
  actions_ = std::move(actions);
  state_.can_run = static_cast<bool>(actions_.run_again);
  state_.has_dialog = static_cast<bool>(actions_.dialog);
  state_.can_hear = actions_.play && actions_.stop_sound && actions_.sound;
  state_.can_show_twin = static_cast<bool>(actions_.twin);
}

void WindowControl::compare(const Comparison& comparison) {
  state_.beside = &comparison;
  set_other_trace(*document_, comparison.comparable() ? comparison.second().trace : nullptr, Comparison::ulps);
  touch();
}

void WindowControl::show(Document& document) {
  stop_hearing();
  heard_about_.reset();
  state_.beside = nullptr;
  const std::uint64_t step = playback_.step();
  document_ = &document;
  if (!state_.tab.empty() && view_of(document, state_.tab).name() != state_.tab) state_.tab.clear();
  const bool reduced = playback_.reduced_motion();
  const float speed = playback_.speed();
  playback_ = Playback(document.info());
  playback_.set_reduced_motion(reduced);
  playback_.set_speed(speed);
  playback_.seek(step);
  state_.cursor = {};
  state_.viewport = {};
  viewports_.clear();
  state_.scrub = {};
  state_.range.reset();
  state_.trail = {};
  state_.tooltip.reset();
  state_.open_choice.clear();
  // What is watched is of the buffers that were there.
  std::erase_if(state_.watch.stops, [&](const StopCondition& stop) {
    const BufferInfo* of = document.info().buffer(stop.buffer);
    return (stop.buffer >= 0 && (!of || stop.index >= of->count)) || stop.kind == StopCondition::Kind::Other;
  });
  if (const BufferInfo* of = document.info().buffer(state_.watch.buffer); !of || state_.watch.index >= of->count)
    state_.watch.history = false;
  fit_step_by();
  follow_playback();
}

void WindowControl::fit_step_by() {
  if (!state_.step_by_fits) return;
  const std::vector<LaunchInfo>& launches = document_->info().launches;
  const bool together =
      std::any_of(launches.begin(), launches.end(), [](const LaunchInfo& launch) { return launch.group_size() > 1; });
  // A lesson speaks of one operation after the other.
  state_.step_by = together && !state_.guide ? StepBy::SubGroup : StepBy::Item;
  aim_playback();
}

void WindowControl::aim_playback() {
  const StepBy by = state_.predict != Predict::Off || state_.beside ? StepBy::Item : state_.step_by;
  state_.cursor.lockstep = by == StepBy::SubGroup;
  if (by == StepBy::Item) return playback_.set_mover({});
  playback_.set_mover([this, by](const TurnPlace& from, int forward) -> TurnPlace {
    if (by == StepBy::SubGroup)
      return forward > 0 ? next_turn(*document_->replay, from) : previous_turn(*document_->replay, from);
    Playback stages(document_->info());
    stages.seek(from.step);
    stages.stage_by(forward);
    return {stages.step(), 0};
  });
}

void WindowControl::set_step_by(StepBy by) {
  state_.step_by = by;
  state_.step_by_fits = false, state_.step_by_chosen = true;
  const char* const words[step_by_count] = {translatable("Steps are operations of work-items."),
                                            translatable("Steps are turns: what the lanes of a sub-group do together."),
                                            translatable("Steps are stages.")};
  state_.message = tr(words[static_cast<int>(by)]);
}

void WindowControl::follow_playback() {
  const bool moved = state_.cursor.step != playback_.step() || state_.cursor.made != playback_.made();
  state_.cursor.step = playback_.step();
  state_.cursor.made = playback_.made();
  aim_playback();
  state_.playback = {playback_.playing(), playback_.speed(), playback_.phase(), playback_.reduced_motion()};
  // After the last operation nothing is left to ask for.
  if (state_.predict == Predict::Asking && playback_.step() == document_->info().steps)
    state_.predict = Predict::Answered;
  if (moved) keep_in_view();
  if (moved && state_.predict == Predict::Asking) state_.presentation.votes = {};  // for another question
  touch();
}

void WindowControl::keep_in_view() {
  // A pane that was scrolled by hand follows the cursor again as soon as it moves.
  state_.scroll.erase("source");
  state_.scroll.erase("launches");
  follow_scrub();
  if (state_.viewport.zoom > 1 && state_.cursor.step > 0)
    state_.viewport = view().showing(diagram_input(), state_.cursor.step);
}

DiagramInput WindowControl::diagram_input() const { return twiddle::diagram_input(*document_, state_); }

const View& WindowControl::view() const { return view_of(*document_, state_.tab); }

void WindowControl::show_view(std::string_view name) {
  if (view().name() == name) return;
  viewports_[std::string(view().name())] = state_.viewport;
  state_.tab = name;
  const auto kept = viewports_.find(state_.tab);
  state_.viewport = kept == viewports_.end() ? Viewport{} : kept->second;
  keep_in_view();
}

void WindowControl::next_view(int by) {
  const std::vector<const View*> list = views_of(*document_);
  const auto here = std::find(list.begin(), list.end(), &view()) - list.begin();
  const auto count = static_cast<std::ptrdiff_t>(list.size());
  show_view(list[(here + by + count) % count]->name());
}

/// The entry of the field of ranks that is `by` further, around its ends.
void WindowControl::next_rank(int by) {
  const auto field = field_named(*document_, state_, "rank");
  if (!field || !actions_.choose) {
    state_.message = tr("This trace is not one of the ranks of a run.");
    return;
  }
  const auto& entries = field->entries;
  const auto here =
      std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.id == field->chosen; }) -
      entries.begin();
  const auto count = static_cast<std::ptrdiff_t>(entries.size());
  actions_.choose("rank", entries[static_cast<std::size_t>((here + by + count) % count)].id);
}

bool WindowControl::overview() const {
  std::uint64_t rows = 1;
  for (const BufferInfo& buffer : document_->info().buffers) rows = std::max(rows, buffer.count);
  const WindowLayout layout = window_layout(state_);
  return static_cast<double>(layout.diagram.h) * state_.viewport.zoom / static_cast<double>(rows) <
         static_cast<double>(overview_below * layout.drawing);
}

void WindowControl::step(int by) {
  const bool forward = by > 0 && playback_.step() < document_->info().steps;
  if (state_.predict == Predict::Answered && forward) {
    state_.predict = Predict::Asking;
    state_.presentation.votes = {};
    return;
  }
  if (state_.predict == Predict::Asking && forward) state_.predict = Predict::Answered;
  if (state_.predict == Predict::Off && state_.step_by != StepBy::SubGroup && overview())
    playback_.stage_by(by);
  else
    playback_.step_by(by);
}

void WindowControl::seek(std::uint64_t step, int made) {
  playback_.seek(step, made);
  follow_playback();
}

/// Jumps, so that Back returns here.
void WindowControl::jump(std::uint64_t step) {
  state_.trail.leave(playback_.step());
  seek(step);
}

void WindowControl::retrace(std::ptrdiff_t by) {
  if (const auto step = state_.trail.go(by, playback_.step())) playback_.seek(*step);
}

void WindowControl::set_user_scale(float scale) {
  user_scale_ = std::clamp(scale, min_scale, max_scale);
  if (std::abs(user_scale_ - 1) < 0.02f) user_scale_ = 1;
  state_.scale = user_scale_ * screen_scale_;
  touch();
}

void WindowControl::set_screen_scale(float scale) {
  screen_scale_ = std::clamp(scale, 0.5f, 8.0f);
  state_.screen_scale = screen_scale_;
  set_user_scale(user_scale_);
}

void WindowControl::set_reduced_motion(bool on) {
  playback_.set_reduced_motion(on);
  follow_playback();
}

void WindowControl::set_speed(float speed) {
  playback_.set_speed(speed);
  follow_playback();
}

void WindowControl::set_theme(ThemeName name) {
  theme_before_.reset();
  theme_before_presenting_.reset();
  state_.theme = name;
}

void WindowControl::set_language(Language language) {
  if (language == state_.language) return;
  state_.language = language;
  use_language(language);
  state_.message = missing_face(language);
  if (actions_.language) actions_.language(language);
}

/// From all of it to where the values of the current operation can be read.
void WindowControl::zoom_to_now() {
  const DiagramInput input = diagram_input();
  const double rows = static_cast<double>(std::max<std::uint64_t>(document_->flow().rows(), 1));
  const double zoom =
      rows * readable_row * static_cast<double>(state_.scale) / std::max(1.0, static_cast<double>(input.height));
  if (zoom <= 1) {
    state_.viewport = {};
    return;
  }
  state_.viewport = view().zoomed(input, {input.width / 2, input.height / 2}, zoom / state_.viewport.zoom);
  if (state_.cursor.step > 0) state_.viewport = view().showing(diagram_input(), state_.cursor.step);
}

void WindowControl::leave() {
  // One thing at a time, the topmost first.
  if (!state_.open_choice.empty())
    state_.open_choice.clear();
  else if (!state_.asked_to_run.empty())
    state_.asked_to_run.clear();
  else if (state_.menu.open())
    state_.menu = {};
  else if (state_.text_entry.kind == TextEntry::Kind::Palette)
    end_palette(false);
  else if (state_.sketch.open)
    state_.sketch.open = false;
  else if (state_.typing())
    state_.text_entry = {}, state_.help = false;
  else if (state_.help)
    state_.help = false;
  else if (state_.settings)
    state_.settings = false;
  else if (state_.roofline)
    state_.roofline.reset();
  else if (state_.focus)
    state_.focus.reset();
  else if (!state_.message.empty())
    state_.message.clear();
  else if (state_.range)
    state_.range.reset();
  else if (state_.blank)
    state_.blank = false;
  else if (state_.predict != Predict::Off)
    state_.predict = Predict::Off;
  else if (state_.presentation.tool != Presentation::Tool::None)
    state_.presentation.tool = Presentation::Tool::None;
  else if (state_.presentation.spotlight)
    state_.presentation.spotlight = false;
  else if (state_.presenting || fullscreen_)
    set_presenting(false, false);
  else if (state_.start.open)
    state_.start.open = false;
  else if (state_.watch.history)
    state_.watch.history = false;
  else if (state_.cursor.pinned)
    state_.cursor.pinned.reset();
}

void WindowControl::command(Command command, std::uint64_t index) {
  if (command == Command::None) return;
  forget_changes();
  // Any command unblanks a blank screen.
  if (state_.blank && command != Command::Blank) {
    state_.blank = false;
    if (command == Command::Leave) return touch();
  }
  const bool of_pointer = static_cast<int>(command) >= command_count;
  if (state_.menu.open() && command != Command::ChooseEntry && command != Command::ChooseUnder) {
    const bool same = state_.menu.name == name_of(command);
    if (command != Command::Leave) state_.menu = {};
    if (same) return touch();  // a second press on its button closes it
  }
  if (command != Command::Leave && command != Command::NextBookmark && !of_pointer) state_.message.clear();
  switch (command) {
    case Command::PlayPause:
      playback_.play(!playback_.playing());
      if (state_.predict == Predict::Asking) state_.predict = Predict::Answered;  // what is played is shown
      break;
    case Command::StepForward: step(1); break;
    case Command::StepBack: step(-1); break;
    case Command::StageForward: playback_.stage_by(1); break;
    case Command::StageBack: playback_.stage_by(-1); break;
    case Command::First: playback_.seek(0); break;
    case Command::Last: playback_.seek(document_->info().steps); break;
    case Command::NextStepBy:
      set_step_by(static_cast<StepBy>((static_cast<int>(state_.step_by) + 1) % step_by_count));
      break;
    case Command::SetStepBy: set_step_by(static_cast<StepBy>(index % step_by_count)); break;
    case Command::Slower: playback_.slower(); break;
    case Command::Faster: playback_.faster(); break;
    case Command::GoTo: open_text_entry(TextEntry::Kind::GoTo); break;
    case Command::Open: begin_opening(); break;
    case Command::OpenByDialog:
      if (!actions_.dialog) {
        begin_opening();
        break;
      }
      if (state_.text_entry.kind == TextEntry::Kind::Open) state_.text_entry = {};
      actions_.dialog();
      break;
    case Command::EditBookmark: edit_bookmark(); break;
    case Command::ToggleBookmark: toggle_bookmark(); break;
    case Command::NextBookmark: next_bookmark(1); break;
    case Command::PreviousBookmark: next_bookmark(-1); break;
    case Command::NextFinding: next_finding(1); break;
    case Command::PreviousFinding: next_finding(-1); break;
    case Command::Blank: state_.blank = !state_.blank; break;
    case Command::Fullscreen: set_presenting(!state_.presenting, false); break;
    case Command::Present: set_presenting(!state_.presenting, true); break;
    case Command::Laser:
    case Command::Spotlight:
    case Command::PickCard: present(command, index); break;
    case Command::FilterFindings:
    case Command::FoldFindings:
    case Command::CloseFindings:
    case Command::OpenFindings:
    case Command::GoToFinding:
    case Command::ShowTwin:
    case Command::SearchRepair:
    case Command::TryRepair:
    case Command::CopyRepair: findings_command(command, index); break;
    case Command::LetGo: state_.cursor.pinned.reset(); break;
    case Command::HidePointer:
      pointer_hidden_ = !pointer_hidden_;
      if (actions_.show_pointer) actions_.show_pointer(!pointer_hidden_);
      break;
    case Command::ScaleUp: set_user_scale(user_scale_ * scale_step); break;
    case Command::ScaleDown: set_user_scale(user_scale_ / scale_step); break;
    case Command::ScaleReset: set_user_scale(1); break;
    case Command::Roofline:
      if (state_.roofline)
        state_.roofline.reset();
      else if (actions_.show_roofline)
        actions_.show_roofline();
      break;
    case Command::SetRoofline: state_.roofline_table = static_cast<std::size_t>(index); break;
    case Command::Settings:
      state_.roofline.reset();
      state_.settings = !state_.settings;
      break;
    case Command::Help:
      state_.settings = false;
      state_.roofline.reset();
      if (state_.help) {
        state_.help = false, state_.text_entry = {};
      } else {
        open_text_entry(TextEntry::Kind::Help);
        state_.help = true;
      }
      break;
    case Command::Palette:
      open_text_entry(TextEntry::Kind::Palette);
      text_changed();
      break;
    case Command::Menu: open_menu("menu", {}); break;
    case Command::Share: open_menu("share", {}); break;
    case Command::ContextMenu:
      if (const auto mark = target())
        open_context_menu({*mark, {}}, state_.tooltip.value_or(Point{state_.width / 2, state_.height / 2}));
      break;
    case Command::StartPage: open_start(); break;
    case Command::LeaveLesson:
      if (actions_.leave_lesson)
        actions_.leave_lesson();  // or comes back to it
      else
        state_.message = tr("No lesson is open.");
      break;
    case Command::Course:
      if (actions_.lesson) state_.start.open = false, actions_.lesson({});
      break;
    case Command::Pin:
      if (state_.presenting)
        present(command, index);
      else if (const auto mark = target())
        pin(*mark);
      break;
    case Command::GoToWriter:
      if (const auto mark = target())
        if (const std::uint64_t to = step_of(*mark); to > 0) jump(to);
      break;
    case Command::GoToReader: go_to_reader(); break;
    case Command::CopyValue:
    case Command::CopyPicture:
    case Command::CopySvg:
    case Command::CopyEquation:
    case Command::CopyTikz:
    case Command::CopyTable:
    case Command::CopyCommand: copy_as(command); break;
    case Command::SaveTrace: save_as("trace"); break;
    case Command::SavePicture: save_as("picture"); break;
    case Command::SaveHandout: save_as("handout"); break;
    case Command::SaveFilm: save_as("film"); break;
    case Command::SaveSound: save_as("sound"); break;
    case Command::Hear: hear(false); break;
    case Command::HearOutcome: hear(true); break;
    case Command::ChooseEntry:
      if (index < state_.menu.entries.size()) take(MenuEntry(state_.menu.entries[index]));
      break;
    case Command::ChooseUnder:
      if (const MenuEntry* open = open_submenu(); open && index < open->under.size())
        take(MenuEntry(open->under[index]));
      break;
    case Command::ChooseFound:
      if (index < state_.palette.found.size()) take(MenuEntry(state_.palette.found[index]));
      break;
    case Command::ChooseCard: open_card(static_cast<int>(index)); break;
    case Command::OpenRecent:
      if (index < state_.start.recent.size()) open(std::string(state_.start.recent[index].file));
      break;
    case Command::SetTheme: set_theme(static_cast<ThemeName>(index % 3)); break;
    case Command::SetMotion: set_reduced_motion(index == 1); break;
    case Command::SetPlots: state_.log_scale = index == 1; break;
    case Command::SetCosts: state_.costs = static_cast<CostStrips>(index % cost_strips_count); break;
    case Command::ClearRange: state_.range.reset(); break;
    case Command::ResetPanes: state_.panes = {}; break;
    case Command::ResizePane:
    case Command::SetSlider: break;  // they are dragged
    case Command::SetShape:
      if (index < LiveWave::shapes) set_shape(static_cast<LiveWave::Shape>(index));
      break;
    case Command::DrawSignal: state_.live.drawing = !state_.live.drawing; break;
    case Command::SetLanguage: set_language(static_cast<Language>(index % 3)); break;
    case Command::AgreeToRun:
      state_.asked_to_run.clear();
      if (actions_.agreed_to_run) actions_.agreed_to_run();
      break;
    case Command::RefuseToRun: state_.asked_to_run.clear(); break;
    case Command::Leave: leave(); break;
    case Command::NextTheme: set_theme(next_theme(state_.theme)); break;
    case Command::NextLanguage: set_language(next_language(state_.language)); break;
    case Command::RunAgain:
      if (state_.can_run && actions_.run_again) actions_.run_again();
      break;
    case Command::ZoomIn:
    case Command::ZoomOut: {
      const DiagramInput input = diagram_input();
      state_.viewport = view().zoomed(input, {input.width / 2, input.height / 2}, command == Command::ZoomIn ? 2 : 0.5);
      break;
    }
    case Command::ZoomReset: state_.viewport = {}; break;
    case Command::ZoomNow: zoom_to_now(); break;
    case Command::Back: retrace(-1); break;
    case Command::Forward: retrace(1); break;
    case Command::SwapScreens:
      if (actions_.swap_screens) actions_.swap_screens();
      break;
    case Command::PresenterNotes:
      if (actions_.presenter_notes) actions_.presenter_notes();
      break;
    case Command::NextView: next_view(1); break;
    case Command::PreviousView: next_view(-1); break;
    case Command::NextRank: next_rank(1); break;
    case Command::PreviousRank: next_rank(-1); break;
    case Command::LogScale: state_.log_scale = !state_.log_scale; break;
    case Command::NextCosts: next_costs(); break;
    // Only lessons have these: a remote's keys never do anything else.
    case Command::LessonNext:
    case Command::LessonPrevious:
      state_.presentation.votes = {};
      if (actions_.turn_page) actions_.turn_page(command == Command::LessonNext ? 1 : -1);
      break;
    case Command::Undo:
      if (state_.presenting && strokes_of(*document_).contains(state_.cursor.step))
        present(command, index);
      else if (actions_.undo)
        actions_.undo();
      break;
    case Command::Predict: state_.predict = state_.predict == Predict::Off ? Predict::Asking : Predict::Off; break;
    case Command::ShowView:
      if (const auto views = views_of(*document_); index < views.size()) show_view(views[index]->name());
      break;
    case Command::ShowSideTab: state_.side_tab = static_cast<SideTab>(index); break;
    case Command::ShowLanesTab: state_.lanes_tab = static_cast<LanesTab>(index); break;
    case Command::CloseMessage: state_.message.clear(); break;
    case Command::RunSketch: run_sketch(); break;
    case Command::ClearSketch: std::fill(state_.sketch.samples.begin(), state_.sketch.samples.end(), 0.0f); break;
    case Command::BackTo:
      retrace(static_cast<std::ptrdiff_t>(index) - static_cast<std::ptrdiff_t>(state_.trail.at));
      break;
    case Command::OpenListed:
      if (index < state_.open_list.entries.size()) open(std::string(state_.open_list.entries[index].file));
      break;
    case Command::NextStop: next_stop(1); break;
    case Command::PreviousStop: next_stop(-1); break;
    case Command::History: open_history(); break;
    case Command::StopWhen: open_text_entry(TextEntry::Kind::Stop); break;
    case Command::SwitchStop:
      if (index < state_.watch.stops.size()) state_.watch.stops[index].on ^= true;
      break;
    case Command::RemoveStop:
      if (index < state_.watch.stops.size())
        state_.watch.stops.erase(state_.watch.stops.begin() + static_cast<std::ptrdiff_t>(index));
      break;
    case Command::CloseHistory: state_.watch.history = false; break;
    case Command::EditSource:
    case Command::RunEdited:
    case Command::SaveKernel:
    case Command::RevertSource:
    case Command::CloseEditor:
    case Command::GoToProblem:
    case Command::NextRun:
    case Command::PreviousRun:
    case Command::CompareRuns:
    case Command::CloseRun:
    case Command::CloseRunTab:
    case Command::ShowRun: edit_command(command, index); break;
    case Command::None: break;
  }
  follow_playback();
}

bool WindowControl::key(const Chord& chord) {
  letter_follows_ = false;
  const bool was_typing = state_.typing(), edited = editing(), took_letters = was_typing || edited;
  const bool done = was_typing                     ? text_key(chord)
                    : state_.menu.open()           ? menu_key(chord)
                    : state_.sketch.open           ? sketch_key(chord)
                    : !state_.asked_to_run.empty() ? asked_key(chord)
                    : state_.start.open            ? start_key(chord)
                    : edited                       ? editor_key(chord)
                                                   : command_key(chord);
  // The letter that opened the field comes after its key, and is not typed into it.
  if (!took_letters && (state_.typing() || editing()) && chord.key.size() == 1 && is_letter(chord.key[0]) &&
      !chord.ctrl && !chord.alt)
    letter_follows_ = true;
  return done;
}

bool WindowControl::command_key(const Chord& chord) {
  if (!state_.covered() && nudge_sample(chord)) return true;
  if (border_key(chord) || (!state_.covered() && slider_key(chord))) return true;
  if (chord.key == "Enter" && state_.focus) {
    click(Mark(*state_.focus));
    follow_playback();
    return true;
  }
  if (present_key(chord)) return true;
  const Command asked = state_.keys.command(chord);
  if (asked == Command::None) return false;
  command(asked);
  return true;
}

bool WindowControl::sketch_key(const Chord& chord) {
  if (chord.key == "Escape") return command_key(chord);
  if (chord.key == "Enter") run_sketch();
  return true;
}

/// A file is not run by a key that was meant for something else.
bool WindowControl::asked_key(const Chord& chord) {
  if (chord.key == "Escape") command(Command::RefuseToRun);
  if (chord.key == "Enter") command(Command::AgreeToRun);
  return true;
}

void WindowControl::resize(float width, float height) {
  if (state_.width == width && state_.height == height) return;
  state_.width = std::max(1.0f, width);
  state_.height = std::max(1.0f, height);
  touch();
}

}  // namespace twiddle
