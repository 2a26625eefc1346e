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

/// More contents, in which few elements of the inputs are not nought: of what is wrong they tell apart where it comes from. None
/// where only the plan's own outcome is known. `trials`: the plan's trial_contents, two or more.
TrialContents sparse_contents(const Plan& plan, const TrialContents& trials);

/// Of a plan whose outcome is the largest value or its place: contents with the largest at one place each, spread over the input,
/// at most `most`, and as many as fit into `max_bytes`. A kernel that misses a few elements is right on most random ones. None
/// for other plans. `trials` as above.
TrialContents spread_contents(const Plan& plan, const TrialContents& trials, std::size_t most, std::size_t max_bytes);

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
  /// The outcome is judged on the first `judged` contents, all of them where there are fewer; the others are only for `alike`.
  Trial(const Plan& plan, Runtime& runtime, const TrialContents& contents,
        const std::vector<std::vector<std::byte>>& reference, std::size_t judged = ~std::size_t(0));

  /// Builds the launches' programs and runs nothing: what a driver loads for that, copies of this process then have.
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

  /// How much what `now` leaves differs from what `before` leaves just where that is wrong, on the last judged content and those
  /// that are not judged: changed and wrong elements by the root of changed times wrong ones, from 0 to 1. Nothing where either
  /// does not end well, or nothing was wrong. `before` is the same in all calls. Throws as right() does.
  std::optional<double> alike(const std::vector<Launch>& before, const std::vector<Launch>& now);

  std::uint64_t runs() const { return runs_; }

 private:
  struct Wanted {
    std::vector<std::complex<double>> values;  // of floating outcomes; empty: each is compared in full
    double size = 0;
  };
  struct Before {
    std::vector<std::vector<std::byte>> left;  // of each output's buffer
    std::vector<std::vector<bool>> wrong;      // its elements
    std::size_t wrong_count = 0;
  };
  std::vector<std::size_t> outputs() const;
  const std::vector<Before>& before_of(const std::vector<Launch>& before);
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
  std::size_t judged_;
  std::optional<std::vector<Before>> before_;  // from the last judged content on; empty: it does not end well
  std::uint64_t runs_ = 0;
  double wrong_share_ = 1;
};

}  // namespace twiddle
