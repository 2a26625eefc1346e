// What commands do, and the keys that give them.
#include "base/text.h"
#include "base/tr.h"
#include "viewer/control/window_control.h"
#include "viewer/document/strokes.h"
#include "viewer/panels/panels.h"
#include "viewer/scene/languages.h"
#include "viewer/state/guide.h"
#include "viewer/views/cost_strips.h"
#include "viewer/views/view.h"

#include <algorithm>

namespace twiddle {

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

}  // namespace twiddle
