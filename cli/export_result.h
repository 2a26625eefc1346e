// What an algorithm computed as a file: its spectrum as a picture, the picture that an inverse gives back, or the values
// as a signal that the next run takes.
#pragma once

#include "cli/end_result.h"

#include <filesystem>

namespace twiddle::cli {

enum class ResultForm { Spectrum, Levels, Values };

/// Writes `result` to `output`: .png or .pgm for Spectrum and Levels, .csv for Values. Throws Error (usage) when the ending
/// does not fit, or when a picture is asked for of something that has one dimension.
void export_result(const EndResult& result, ResultForm form, const std::filesystem::path& output);

}  // namespace twiddle::cli
