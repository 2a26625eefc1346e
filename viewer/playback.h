// Playback: how keys and time move the cursor. No drawing, no clock of its own: testable to the step.
#pragma once

#include "viewer/document.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace twiddle {

/// Everything a key, a button or a remote can ask for; the names are used in the settings file and as button marks.
enum class Command {
  None, PlayPause, StepForward, StepBack, StageForward, StageBack, LessonNext, LessonPrevious, First, Last, Slower, Faster,
  GoTo, ToggleBookmark, NextBookmark, PreviousBookmark, NextFinding, PreviousFinding, Blank, Fullscreen, HidePointer,
  ScaleUp, ScaleDown, ScaleReset, Help, Leave, NextTheme, RunAgain, Predict, Present,
};
std::string_view name_of(Command command);
Command command_named(std::string_view name);

/// Moves between steps, segments and bookmarks of one trace; 0 … info.steps.
class Playback {
 public:
  explicit Playback(const TraceInfo& info) : info_(&info) {}

  std::uint64_t step() const { return step_; }
  void seek(std::uint64_t step);
  void step_by(std::int64_t by);
  /// To the end of the next segment; back to the end of the previous one (or the start).
  void stage_by(int by);

  bool playing() const { return playing_; }
  void play(bool on);
  float speed() const { return speed_; }
  void faster();
  void slower();

  /// Lets time pass: seconds since the last call. Advances while playing, `steps_a_second() · speed()`.
  void advance(double seconds);
  /// How far the current operation's animation is, 0 … 1.
  float phase() const { return phase_; }

 private:
  const TraceInfo* info_;
  std::uint64_t step_ = 0;
  bool playing_ = false;
  float speed_ = 1, phase_ = 1;
  double clock_ = 0;
};

}  // namespace twiddle
