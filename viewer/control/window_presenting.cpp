// What a presenter does to the window: pen, laser pointer, spotlight, votes and answers.
#include "base/error.h"
#include "viewer/control/window_control.h"
#include "viewer/document/strokes.h"
#include "viewer/state/guide.h"
#include "viewer/state/window_layout.h"
#include "viewer/views/view.h"

#include <algorithm>
#include <utility>

namespace twiddle {
namespace {

constexpr std::size_t max_stroke_points = 4096, trail_points = 5;

}  // namespace

void WindowControl::present(Command command, std::uint64_t index) {
  using Tool = Presentation::Tool;
  Presentation& presentation = state_.presentation;
  const auto take = [&](Tool tool) {
    presentation.tool = state_.presenting && presentation.tool != tool ? tool : Tool::None;
    presentation.trail.clear();
  };
  switch (command) {
    case Command::Pin: take(Tool::Pen); break;
    case Command::Laser: take(Tool::Laser); break;
    case Command::Spotlight: presentation.spotlight = !presentation.spotlight; break;
    case Command::Undo: {
      Strokes& strokes = strokes_of(*document_);
      const auto here = strokes.find(state_.cursor.step);
      if (here == strokes.end()) break;
      here->second.pop_back();
      if (here->second.empty()) strokes.erase(here);
      try {
        keep_strokes(*document_);
      } catch (const Error& error) { state_.message = error.message().translated(); }
      break;
    }
    case Command::PickCard:
      if (index < presentation.votes.size()) ++presentation.votes[index];
      break;
    default: break;
  }
}

/// Whether a question is open: one of predict mode, or of the guide's page.
bool WindowControl::asks() const {
  if (state_.predict != Predict::Off) return state_.predict == Predict::Asking;
  if (!state_.guide) return false;
  const auto question = state_.guide->question();
  return question && !question->answered;
}

void WindowControl::show_answer() {
  if (state_.predict == Predict::Asking) return command(Command::StepForward);
  const auto question = state_.guide->question();
  if (actions_.guide) actions_.guide(question->show);
}

/// While presenting, 1 to 4 count a vote for a card, and Space shows the answer to an open question.
bool WindowControl::present_key(const Chord& chord) {
  if (!state_.presenting || state_.blank || chord.ctrl || chord.alt || chord.shift || !asks()) return false;
  if (chord.key.size() == 1 && chord.key[0] >= '1' && chord.key[0] < '1' + static_cast<char>(answer_cards)) {
    ++state_.presentation.votes[static_cast<std::size_t>(chord.key[0] - '1')];
    touch();
    return true;
  }
  if (chord.key != "Space") return false;
  show_answer();
  touch();
  return true;
}

/// The stroke that was drawn belongs to the step, in the view's own terms.
void WindowControl::finish_stroke() {
  std::vector<Point> points = std::exchange(state_.presentation.stroke, {});
  const DiagramInput input = diagram_input();
  const Box box = window_layout(state_).diagram;
  PenStroke stroke{std::string(view().name()), {}};
  const std::size_t every = points.size() / max_stroke_points + 1;
  for (std::size_t i = 0; i < points.size(); i += every)
    stroke.points.push_back(view().anchor(input, {points[i].x - box.x, points[i].y - box.y}));
  strokes_of(*document_)[state_.cursor.step].push_back(std::move(stroke));
  try {
    keep_strokes(*document_);
  } catch (const Error& error) { state_.message = error.message().translated(); }
  touch();
}

/// The laser pointer follows the pointer, with a trail.
void WindowControl::point_at(Point at) {
  if (state_.presentation.tool != Presentation::Tool::Laser) return;
  std::vector<Point>& trail = state_.presentation.trail;
  if (!trail.empty() && trail.back().x == at.x && trail.back().y == at.y) return;
  trail.push_back(at);
  if (trail.size() > trail_points) trail.erase(trail.begin());
  touch();
}

/// `large`: with the projector's colours and strokes, until it ends.
void WindowControl::set_presenting(bool on, bool large) {
  if (on && large && !theme_before_presenting_)
    theme_before_presenting_ = state_.theme, state_.theme = ThemeName::Projector;
  if (!on && theme_before_presenting_) state_.theme = *std::exchange(theme_before_presenting_, {});
  if (!on) state_.presentation = {};
  state_.presenting = on;
  fullscreen_ = on;
  if (actions_.fullscreen) actions_.fullscreen(on);
}

}  // namespace twiddle
