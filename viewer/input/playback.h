// Playback: how keys and time move the cursor. No drawing, no clock of its own: testable to the step.
#pragma once

#include "tracer/replay/turns.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

namespace twiddle {

/// What a step is: an operation of a work-item, a turn of a sub-group, or a stage.
enum class StepBy : std::uint8_t { Item, SubGroup, Stage };
inline constexpr int step_by_count = 3;
std::string_view name_of(StepBy by);  // "work-item", "sub-group", "stage"
std::optional<StepBy> step_by_named(std::string_view name);

/// Moves between the steps and segments of one trace, 0 … info.steps. Step n means that n operations are done and the
/// n-th is "now". The TraceInfo must outlive it.
class Playback {
 public:
  explicit Playback(const TraceInfo& info) : info_(&info) {}

  std::uint64_t step() const { return step_; }
  /// In lockstep: how many turns of the step's round have been made; 0: all.
  int made() const { return made_; }
  /// Goes there at once, without motion; beyond the last step means the last.
  void seek(std::uint64_t step, int made = 0);
  /// What a step forwards (1) or backwards (−1) leads to, where it is not the next operation; the same place at an end.
  using Mover = std::function<TurnPlace(const TurnPlace& from, int by)>;
  void set_mover(Mover mover) { mover_ = std::move(mover); }
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
  bool reduced_motion() const { return reduced_motion_; }
  /// From what was kept: the nearest power of two that playing goes at.
  void set_speed(float speed);

  /// Lets time pass: seconds since the last call. Plays on, or carries a key's motion to its end.
  void advance(double seconds);
  /// How far the current operation's animation is, 0 … 1; always 1 from 4× on, where phases would only flicker.
  float phase() const;
  /// Whether time changes anything: the window sleeps when not.
  bool moving() const { return playing_ || progress_ < 1; }

 private:
  const TraceInfo* info_;
  std::uint64_t step_ = 0;
  int made_ = 0;
  Mover mover_;  // empty: by operations
  bool at_end() const;
  bool playing_ = false, reduced_motion_ = false;
  float speed_ = 1;
  double progress_ = 1;        // of the current operation's motion, 0 … 1
  double motion_seconds_ = 0;  // how long a key's motion takes; playing has its own pace
};

}  // namespace twiddle
