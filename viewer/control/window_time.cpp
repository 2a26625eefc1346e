// What time does to the window: playing, sounds, tooltips that come and messages that go.
#include "viewer/control/window_control.h"
#include "viewer/input/stops.h"

#include <algorithm>

namespace twiddle {
namespace {

constexpr double tooltip_seconds = 0.15;
constexpr double message_seconds = 8;
constexpr double sound_seconds = 0.04;  // between two looks at how far a sound is

}  // namespace

bool WindowControl::advance(double seconds) {
  const std::uint64_t before = revision_;
  since_click_ += seconds;
  watch_start(seconds);
  if (playback_.moving()) {
    const std::uint64_t from = playback_.step();
    playback_.advance(seconds);
    // Play halts where a condition is met.
    if (playback_.playing() || playback_.step() == document_->info().steps)
      if (const std::uint64_t hit = next_hit(*document_, state_.watch.stops, from, 1);
          hit > 0 && hit <= playback_.step() && playback_.step() > from) {
        playback_.seek(hit);
        if (playback_.playing()) playback_.play(false);
      }
    follow_playback();
  }
  follow_sound();
  if (state_.cursor.hover && !state_.tooltip) {
    hovered_for_ += seconds;
    if (hovered_for_ >= tooltip_seconds && drag_ == Drag::None) {
      state_.tooltip = hover_at_;
      touch();
    }
  }
  if (state_.message != shown_message_) shown_message_ = state_.message, message_for_ = 0;
  if (!state_.message.empty() && (message_for_ += seconds) > message_seconds) {
    state_.message.clear();
    touch();
  }
  return revision_ != before;
}

std::optional<double> WindowControl::next_change() const {
  if (playback_.moving()) return 0;
  std::optional<double> next;
  if (state_.sound.on) next = sound_seconds;
  if (watches_start()) next = std::min(next.value_or(start_seconds), std::max(0.001, start_seconds - watched_for_));
  if (state_.cursor.hover && !state_.tooltip && hovered_for_ >= 0)
    next = std::min(next.value_or(tooltip_seconds), std::max(0.001, tooltip_seconds - hovered_for_));
  if (!state_.message.empty())
    next = std::min(next.value_or(message_seconds), std::max(0.01, message_seconds - message_for_));
  return next;
}

}  // namespace twiddle
