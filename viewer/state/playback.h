// Playback: how keys and time move the cursor. No drawing, no clock of its own: testable to the step.
#pragma once

#include "tracer/trace/trace.h"

#include <cstdint>

namespace twiddle {

/// Moves between the steps and segments of one trace, 0 … info.steps. Step n means that n operations are done and the
/// n-th is "now". The TraceInfo must outlive it.
class Playback {
 public:
  explicit Playback(const TraceInfo& info) : info_(&info) {}

  std::uint64_t step() const { return step_; }
  /// Goes there at once, without motion; beyond the last step means the last.
  void seek(std::uint64_t step);
  /// A key's step: the motion is short. A motion under way ends first.
  void step_by(std::int64_t by);
  /// To the end of the segment ahead; back to the end of the one before (or the start).
  void stage_by(int by);

  bool playing() const { return playing_; }
  /// From the last step, playing starts over.
  void play(bool on);
  /// A power of two; 1 shows an operation in 1.2 seconds.
  float speed() const { return speed_; }
  void faster();
  void slower();
  float fastest() const;
  static constexpr float slowest = 0.125f;

  /// For people who ask their system for less motion: operations appear finished.
  void set_reduced_motion(bool on) { reduced_motion_ = on; }

  /// Lets time pass: seconds since the last call. Plays on, or carries a key's motion to its end.
  void advance(double seconds);
  /// How far the current operation's animation is, 0 … 1; always 1 from 4× on, where phases would only flicker.
  float phase() const;
  /// Whether time changes anything: the window sleeps when not.
  bool moving() const { return playing_ || progress_ < 1; }

 private:
  const TraceInfo* info_;
  std::uint64_t step_ = 0;
  bool playing_ = false, reduced_motion_ = false;
  float speed_ = 1;
  double progress_ = 1;        // of the current operation's motion, 0 … 1
  double motion_seconds_ = 0;  // how long a key's motion takes; playing has its own pace
};

}  // namespace twiddle
