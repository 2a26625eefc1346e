// The signal while the user changes it: samples that are handles, and what became different, bit by bit.
#pragma once

#include "viewer/document/document.h"
#include "viewer/facts/spectrum_goal.h"

#include <array>
#include <complex>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace twiddle {

/// Which elements and steps of a trace are not, bit by bit, what they were in another trace of the same plan.
class Changes {
 public:
  /// Both traces must be of the same plan: the same buffers, and segments in the same order. At most `max_steps` operations and
  /// `max_elements` elements of a buffer are compared; of larger traces nothing is known, and nothing counts as changed.
  Changes(Document& before, Document& now);
  static constexpr std::uint64_t max_steps = 1 << 14, max_elements = 1 << 12;

  /// Of a buffer's element in the state after a segment (−1: before the first); local arrays count through all groups
  /// (group · count + index).
  bool element(int buffer, std::uint64_t index, int segment) const;
  bool step(std::uint64_t step) const { return step < steps_.size() && steps_[step]; }
  std::uint64_t steps() const { return changed_steps_; }
  /// How many elements of a buffer are others after a segment.
  std::uint64_t count(int buffer, int segment) const;

 private:
  std::vector<std::map<int, std::vector<bool>>> states_;  // by segment + 1, then by buffer; no entry: nothing changed
  std::vector<bool> steps_;
  std::uint64_t changed_steps_ = 0;
};

/// A wave that sliders shape. What they change of it is added to the samples, so that what a hand did to them stays.
struct LiveWave {
  enum class Shape : std::uint8_t { Cosine, Square, Impulse, Ramp, Random };
  static constexpr std::size_t shapes = 5;
  enum Slider : std::uint8_t { Turns, Phase, Amplitude, Noise };
  static constexpr std::size_t sliders = 4;

  Shape shape = Shape::Cosine;
  std::array<double, sliders> values{1, 0, 0,
                                     0};  // turns in all samples (Impulse: at which sample), degrees, and heights
  bool operator==(const LiveWave&) const = default;
  /// Sample j of `count`, its noise included.
  double sample(std::uint64_t j, std::uint64_t count) const;
};
/// What a slider goes through. `floating`: whether samples are no whole numbers.
struct SliderRange {
  double low = 0, high = 1, step = 0.01;
};
SliderRange slider_range(LiveWave::Slider slider, std::uint64_t count, bool floating);
/// The wave that a signal is, "cosine:3" or "sine"; of others one of no height, to be added.
LiveWave wave_of(const std::string& signal);

/// Of the input: samples as they are while they are dragged, and what came of it.
struct LiveSignal {
  static constexpr std::uint64_t max_traced = 64;     // samples: every operation is logged while one is dragged
  static constexpr std::uint64_t max_samples = 4096;  // … and up to here the result alone

  bool possible = false;                      // the plan can run again from here with other samples
  std::vector<std::complex<double>> samples;  // as they are in hand; empty: the trace's own
  std::optional<std::uint64_t> held, focus;   // the handle that is dragged; the one that the arrow keys move
  static constexpr std::uint64_t all_held = ~std::uint64_t(0);  // `held` while a slider is dragged
  std::optional<LiveWave> wave, wave_before;  // as the sliders have it, and had it before the change; nothing: wave_of
  bool drawing = false;                       // dragging over the picture draws, in place of one handle
  bool answered = false;                      // a run was asked for since it was taken hold of
  double low = 0, high = 0;  // of the axis while a handle is held, so that it keeps still; else low = high
  std::vector<std::complex<double>> before;         // the samples before the change; empty: nothing was changed
  std::vector<std::complex<double>> result_before;  // the expected output's elements before it
  std::vector<std::complex<double>> result;  // … and now, where the document does not hold them yet; else empty
  std::shared_ptr<const Changes> changes;    // null: nothing is marked
  SpectrumGoal goal;                         // what a lesson asks the samples to be brought to; it may ask for nothing

  /// Whether one of the samples at hand is not what it was before the change.
  bool changed(const std::vector<std::complex<double>>& at_hand, std::uint64_t sample) const {
    return sample < before.size() && sample < at_hand.size() && before[sample] != at_hand[sample];
  }
};

/// The buffer whose elements are the samples, or the pixels of a picture, row by row: the expected transform's input, where it
/// has numbers of one or two components and is not too large; −1: none.
int live_buffer(const TraceInfo& info);
/// How many of them one wave goes through: all, or the columns of a picture, where it runs along each row.
std::uint64_t live_width(const TraceInfo& info);
/// Samples a second, where the trace says (its parameter sample-rate); 0: not known.
double sample_rate_of(const TraceInfo& info);
/// A buffer's elements as numbers in the state after a segment (−1: before the first); what is not known is 0.
std::vector<std::complex<double>> numbers_of(Document& document, int buffer, int segment);
/// The same in any state.
std::vector<std::complex<double>> numbers_in_state(const TraceInfo& info, const State& state, int buffer);
/// The samples at hand: those that are dragged, else the trace's.
std::vector<std::complex<double>> samples_at_hand(Document& document, const LiveSignal* live);

/// Where values are on the handles' axis: as far as a goal allows, what was fixed when one was taken hold of, or round numbers
/// around the samples.
struct LiveAxis {
  double low = -1, high = 1;
};
LiveAxis live_axis(const std::vector<std::complex<double>>& samples, const LiveSignal* live);

/// The mark of a sample's handle: of the input's element before the first step, with a command that says that it can be dragged.
inline constexpr const char* sample_command = "sample";
Mark sample_mark(int buffer, std::uint64_t sample);
bool is_sample(const Mark& mark);

}  // namespace twiddle
