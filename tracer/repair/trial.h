// Whether a plan leaves what it expects, tried on its own input and on fresh random ones.
#pragma once

#include "kernels/catalogue/reference.h"
#include "tracer/run/plan_run.h"

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <vector>

namespace twiddle {

/// What the buffers hold at first in each trial. The plan's own content comes first; then, for each further one, floating
/// inputs are random, and whole ones, and those beyond −1 and 1, are numbers of the plan's content, drawn again: they stay in
/// the range that the kernel was made for. Buffers that are no input (tables, taps, row pointers) stay.
using TrialContents = std::vector<std::vector<std::vector<std::byte>>>;  // by trial and buffer
TrialContents trial_contents(const Plan& plan, std::size_t trials);

/// A kernel did not come back: this process can run no other.
struct DeviceLost : std::runtime_error {
  DeviceLost() : std::runtime_error("a kernel did not come back") {}
};

/// The number of the buffer that a plan computes its expectation in ("equals:NAME", without a first content of its own); nothing
/// for others.
std::optional<std::size_t> computed_reference(const Plan& plan);

class Trial {
 public:
  /// `plan` and `contents` outlive this; the plan's launches may change in their arguments between trials.
  /// `reference`, for each content, is what a buffer that the plan itself computes the expectation in has to hold at the end: a
  /// kernel is not right because the one that it is compared with was made as wrong. Empty: nothing is held to it.
  Trial(const Plan& plan, Runtime& runtime, const TrialContents& contents,
        const std::vector<std::vector<std::byte>>& reference);

  /// Builds the first launch's program and runs nothing: what a driver loads for that, copies of this process then have.
  void build(const std::vector<Launch>& launches);

  /// Runs the launches on one of the contents and compares. False also where a kernel faults or leaves its buffers. Throws
  /// Error where it does not compile, and where the device is lost.
  bool right(const std::vector<Launch>& launches, std::size_t content);
  /// The same on all of the contents, the plan's own last.
  bool right(const std::vector<Launch>& launches);

  /// Of the last outcome that was not right, how much of it is wrong, from 0 to 1; 1 where a kernel did not end well.
  double wrong_share() const { return wrong_share_; }

  /// What all buffers hold after the launches; nothing where they do not end well. Throws as right() does.
  std::vector<std::vector<std::byte>> left(const std::vector<Launch>& launches, std::size_t content);

  /// How far each value of a floating outcome is from what should come out, for all of the contents one after another. Empty
  /// where the launches do not end well, and where that is not computed from the input. Throws as right() does.
  std::vector<std::complex<double>> apart(const std::vector<Launch>& launches);

  std::uint64_t runs() const { return runs_; }

 private:
  struct Wanted {
    std::vector<std::complex<double>> values;  // of floating outcomes; empty: each is compared in full
    double size = 0;
  };
  const Wanted& wanted(std::size_t content);
  bool run(const std::vector<Launch>& launches, std::size_t content);
  Launch with_room(const Launch& launch) const;
  std::vector<std::complex<double>> points_left(
      const std::function<const std::vector<std::byte>&(std::size_t)>& after) const;

  const Plan& plan_;
  Runtime& runtime_;
  const TrialContents& contents_;
  const std::vector<std::vector<std::byte>>& reference_;
  PlanRun run_;
  std::optional<PlanRun::ProgramStates> states_;
  ExpectShape shape_;
  std::vector<std::optional<Wanted>> wanted_;
  std::uint64_t runs_ = 0;
  double wrong_share_ = 1;
};

}  // namespace twiddle
