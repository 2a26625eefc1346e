// The start page: what its keys and cards do, and the run that plays while it is pointed at.
#include "base/message.h"
#include "base/text.h"
#include "viewer/control/window_control.h"

namespace twiddle {

void WindowControl::open_start() {
  state_.start.open = true;
  state_.menu = {};
  state_.help = false;
  state_.focus.reset();
  if (state_.presenting) set_presenting(false, false);
  playback_.play(false);
  if (actions_.start_shown) actions_.start_shown();
  touch();
}

bool WindowControl::start_key(const Chord& chord) {
  StartPage& start = state_.start;
  if (chord.ctrl || chord.alt) return command_key(chord);
  if (chord.key.size() == 1 && chord.key[0] >= '1' && chord.key[0] <= '5') {
    open_card(chord.key[0] - '1');
  } else if (chord.key == "Enter" && !state_.focus) {
    open_card(start.chosen);
  } else if (chord.key == "Left" || chord.key == "Up") {
    start.chosen =
        (start.chosen + StartPage::cards - (chord.key == "Up" && start.chosen > 2 ? 2 : 1)) % StartPage::cards;
  } else if (chord.key == "Right" || chord.key == "Down") {
    start.chosen =
        (start.chosen + (chord.key == "Down" && start.chosen > 0 && start.chosen < 3 ? 2 : 1)) % StartPage::cards;
  } else if (chord.key.size() == 1 && is_letter(chord.key[0])) {
    return true;  // what it types goes to the search
  } else {
    return command_key(chord);
  }
  follow_playback();
  return true;
}

void WindowControl::open_card(int card) {
  if (card < 0 || card >= StartPage::cards) return;
  state_.start.chosen = card;
  switch (card) {
    case StartPage::Watch: state_.start.open = false; break;
    case StartPage::Course: command(Command::Course); break;
    case StartPage::Bug:
      command(Command::Palette);
      state_.text_entry.line.insert("gallery/");
      text_changed();
      break;
    case StartPage::Kernel: command(Command::Open); break;
    case StartPage::Record:
      copy("twiddle record -- ./app",
           tr("Copied: twiddle record -- ./app. Put your own program in its place, and open what it writes."));
      break;
    default: break;
  }
  touch();
}

bool WindowControl::watches_start() const {
  const std::optional<Mark>& hover = state_.cursor.hover;
  return state_.start.open && !state_.typing() && !state_.menu.open() && document_->info().steps > 0 && hover &&
         hover->kind == MarkKind::Command && hover->command == name_of(Command::ChooseCard) &&
         hover->index == StartPage::Watch;
}

void WindowControl::watch_start(double seconds) {
  if (!watches_start()) {
    watched_for_ = 0;
    return;
  }
  watched_for_ += seconds;
  if (watched_for_ < start_seconds) return;
  watched_for_ = 0;
  seek(playback_.step() >= document_->info().steps ? 0 : playback_.step() + 1);
}

}  // namespace twiddle
