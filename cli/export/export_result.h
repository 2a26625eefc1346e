// What an algorithm computed as a file: its spectrum as a picture, the picture that an inverse gives back, or the values
// as a signal that the next run takes.
#pragma once

#include "cli/export/end_result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace twiddle::cli {

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

}  // namespace twiddle::cli
