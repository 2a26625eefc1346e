// Moving pictures: frames that FFmpeg makes a GIF or an MP4 of.
#pragma once

#include "viewer/scene/theme.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <vector>

namespace twiddle::cli {

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

/// Writes the film as `file`, which ends in .gif or .mp4, with a progress bar on a terminal. A GIF repeats itself. Throws
/// Error (usage) when there is no FFmpeg, which is asked before anything is drawn, or when it fails; Interrupted on Ctrl-C.
void write_film(const std::filesystem::path& file, const Film& film);

}  // namespace twiddle::cli
