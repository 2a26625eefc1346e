#include "viewer/input/playback.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace twiddle {
namespace {

constexpr double seconds_an_operation = 1.2;  // read, multiply, add and subtract, write, rest
constexpr double key_step_seconds = 0.18;
constexpr float no_phases_from = 4;
constexpr int max_moves = 4096;  // by the mover, of one input or frame: what is more goes by steps
constexpr std::string_view step_by_names[step_by_count] = {"work-item", "sub-group", "stage"};

}  // namespace

std::string_view name_of(StepBy by) { return step_by_names[static_cast<std::size_t>(by)]; }

std::optional<StepBy> step_by_named(std::string_view name) {
  for (int i = 0; i < step_by_count; ++i)
    if (step_by_names[i] == name) return static_cast<StepBy>(i);
  return {};
}

void Playback::seek(std::uint64_t step, int made) {
  step_ = std::min(step, info_->steps);
  made_ = made;
  progress_ = 1;
}

void Playback::step_by(std::int64_t by) {
  const std::uint64_t before = step_;
  const TurnPlace from{step_, made_};
  if (mover_ && by >= -max_moves && by <= max_moves) {
    TurnPlace at = from;
    for (std::int64_t n = 0; n < std::abs(by); ++n) at = mover_(at, by < 0 ? -1 : 1);
    seek(at.step, at.made);
  } else if (by < 0) {
    const std::uint64_t back = std::uint64_t(0) - static_cast<std::uint64_t>(by);
    seek(step_ > back ? step_ - back : 0);
  } else {
    seek(step_ + std::min(static_cast<std::uint64_t>(by), info_->steps - step_));
  }
  // One step forward is worth showing as a motion; a step back shows what was there already.
  if (by == 1 && (step_ != before || made_ != from.made) && !reduced_motion_) {
    progress_ = 0;
    motion_seconds_ = key_step_seconds;
  }
}

void Playback::stage_by(int by) {
  const auto& segments = info_->segments;
  std::uint64_t target = step_;
  for (; by > 0; --by) {
    const auto ahead = std::find_if(segments.begin(), segments.end(), [&](const Segment& segment) {
      return segment.count > 0 && segment.end_step() - 1 > target;
    });
    target = ahead == segments.end() ? info_->steps : ahead->end_step() - 1;
  }
  for (; by < 0; ++by) {
    const auto behind = std::find_if(segments.rbegin(), segments.rend(), [&](const Segment& segment) {
      return segment.count > 0 && segment.end_step() - 1 < target;
    });
    target = behind == segments.rend() ? 0 : behind->end_step() - 1;
  }
  seek(target);
}

void Playback::set_speed(float speed) {
  if (!(speed > 0)) return;
  const float power = std::exp2(std::round(std::log2(speed)));
  speed_ = std::clamp(power, slowest, fastest());
}

void Playback::play(bool on) {
  if (on && info_->steps == 0) return;
  if (on && at_end() && progress_ >= 1) seek(0);
  playing_ = on;
  // A pause lets the operation finish at a key's pace instead of freezing half-done numbers.
  if (!on && progress_ < 1) motion_seconds_ = key_step_seconds;
}

bool Playback::at_end() const {
  if (step_ < info_->steps) return false;
  const TurnPlace here{step_, made_};
  return !mover_ || mover_(here, 1) == here;
}

float Playback::fastest() const {
  // A walk of any length can be seen in a few seconds.
  constexpr double whole_walk_seconds = 4;
  const double needed = static_cast<double>(info_->steps) * seconds_an_operation / whole_walk_seconds;
  return static_cast<float>(std::exp2(std::ceil(std::log2(std::max(needed, 16.0)))));
}

void Playback::faster() { speed_ = std::min(speed_ * 2, fastest()); }
void Playback::slower() { speed_ = std::max(speed_ / 2, slowest); }

void Playback::advance(double seconds) {
  if (!(seconds > 0)) return;
  if (!playing_) {
    if (progress_ < 1) progress_ = std::min(1.0, progress_ + seconds / std::max(motion_seconds_, 1e-3));
    return;
  }
  progress_ += seconds * static_cast<double>(speed_) / seconds_an_operation;
  if (progress_ < 1) return;
  const double whole = std::floor(progress_);
  if (mover_ && whole <= max_moves) {
    for (int n = 0; n < static_cast<int>(whole); ++n) {
      const TurnPlace from{step_, made_}, to = mover_(from, 1);
      if (to == from) {  // the last turn has been shown in full
        progress_ = 1;
        playing_ = false;
        return;
      }
      step_ = to.step, made_ = to.made;
    }
    progress_ -= whole;
    return;
  }
  made_ = 0;
  const std::uint64_t left = info_->steps - step_;
  if (whole > static_cast<double>(left)) {  // the last operation has been shown in full
    step_ = info_->steps;
    progress_ = 1;
    playing_ = false;
    return;
  }
  step_ += static_cast<std::uint64_t>(whole);
  progress_ -= whole;
}

float Playback::phase() const {
  if (reduced_motion_ || (playing_ && speed_ >= no_phases_from)) return 1;
  return static_cast<float>(std::min(progress_, 1.0));
}

}  // namespace twiddle
