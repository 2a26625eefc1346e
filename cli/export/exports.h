// What export writes beside pictures of the diagram: what an algorithm computed, a trace's numbers for NumPy, films.
#pragma once

#include "cli/options.h"
#include "kernels/catalogue/reference.h"
#include "tracer/replay/turns.h"
#include "viewer/document/document.h"
#include "viewer/scene/theme.h"

#include <complex>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace twiddle::cli {

// ---- What an algorithm computed, run here and now without a log or read from the end of its trace: verify compares it, too ----

struct EndResult {
  Plan plan;                      // of a trace: as much of it as its expectation needs
  std::string runtime, device;    // where it ran
  RunContents contents;           // of the buffers
  std::vector<std::byte> output;  // of the buffer that the plan's expectation names
  std::vector<Message> notes;     // what was done to fit files into the buffers
  std::vector<Message> faults;    // what the runtime noticed of kernels, a sentence each

  const Buffer& output_buffer() const { return *plan.buffer_named(plan.expect.output); }
  /// The output's elements as complex numbers.
  std::vector<std::complex<double>> values() const;
};

/// Of an algorithm or a plan file: in the `order`-th of the orders that were asked for, and with the kernels that log.
struct RunSettings {
  std::size_t order = 0;
  bool traced = false;
};

/// Runs `subject` with these options when it is an algorithm or a plan file; replays it to its end when it is a trace.
/// Throws Error: usage when it does not say what its outcome is, or when the trace was interrupted.
EndResult end_result(const RunOptions& options, const std::string& subject, const RunSettings& how = {});

enum class ResultForm { Spectrum, Levels, Values };

/// A picture's sides in pixels.
struct PictureSize {
  std::uint64_t width = 0, height = 0;
};

/// "300x200". Throws Error (usage).
PictureSize parse_picture_size(const std::string& text);

/// Writes `result` to `output`: .png or .pgm for Spectrum and Levels, .csv for Values; of Levels only the `crop` in the
/// upper left, if there is one. Throws Error (usage) when the ending does not fit, when a picture is asked for of something
/// that has one dimension, or when the crop is larger than it.
void export_result(const EndResult& result, ResultForm form, const std::filesystem::path& output,
                   const std::optional<PictureSize>& crop = std::nullopt);

// ---- A trace for NumPy ----

/// The buffers (not the local arrays) after a step, each an array of its own type and shape: pairs of floats are complex.
void export_buffers(Document& document, std::uint64_t step, const std::filesystem::path& file);

/// Every operation, a row each in the trace's order, and the buffers before the first and after the last; docs/export.md lists
/// the columns. Throws Interrupted on Ctrl-C.
void export_columns(Document& document, const std::filesystem::path& file);

// ---- Moving pictures: frames that FFmpeg makes a GIF or an MP4 of ----

struct Film {
  std::size_t frames = 0;
  double frames_per_second = 2;
  Rgb background{255, 255, 255};                            // where a picture has to grow by a pixel
  std::function<std::vector<std::byte>(std::size_t)> draw;  // a frame, from 0, as PNG; all of one size
};

/// Seconds for which a film shows its last frame.
inline constexpr int film_rest = 2;
inline constexpr double fastest_gif =
    50;  // frames a second: a GIF counts in hundredths, and viewers slow down what is below 2

/// A walk through a trace as a film. Without a pace its steps stand still, `rate` of them a second; with one each takes so many
/// seconds and moves as in the window, at `rate` frames a second, and the camera follows the operation where values could not
/// be read otherwise. A walk that would take too long goes from stage to stage instead.
struct WalkOptions {
  PictureOptions picture;
  std::vector<TurnPlace> places;  // steps, or in lockstep turns
  std::optional<double> rate, pace;
  bool caption = false, title = false, window = false;
  int pixels = 0;  // width of the film; 0: the picture's own
};

/// Throws Error (usage) when it would have too many frames.
Film film_of(Document& document, const WalkOptions& options);

/// The steps at which stages end, from `first` on; `first` and `last` are among them.
std::vector<TurnPlace> walk_by_stages(const TraceInfo& info, std::uint64_t first, std::uint64_t last);

/// Writes the film as `file`, which ends in .gif or .mp4, with a progress bar on a terminal. A GIF repeats itself. Throws
/// Error (usage) when there is no FFmpeg, which is asked before anything is drawn, or when it fails; Interrupted on Ctrl-C.
void write_film(const std::filesystem::path& file, const Film& film);

}  // namespace twiddle::cli
