// Signals from files. All bytes are untrusted: sizes are checked before memory is taken, and what does not add up throws
// Error (unreadable) with one sentence that begins with `name`.
#pragma once

#include "kernels/signal/signal.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

/// A line a sample, `re` or `re,im` (also separated by semicolons, tabs or spaces); a first line of words, empty lines and
/// lines that begin with # are passed over.
Samples decode_csv(std::string_view bytes, const std::string& name);

/// Rows of numbers of one length, as a CSV file has them: what separates them and what is passed over is as above. Throws
/// Error (unreadable) with the line, also of more than `max_numbers`.
struct NumberTable {
  std::uint64_t columns = 0;
  std::vector<double> numbers;  // row by row
};
NumberTable decode_number_table(std::string_view bytes, const std::string& name, std::uint64_t max_numbers);

/// The first channel of a RIFF WAVE file: PCM of 8, 16, 24 or 32 bits as [−1, 1), or floats of 32 or 64 bits as they are.
Samples decode_wav(std::string_view bytes, const std::string& name);

/// Grey levels 0 … maxval of a PGM picture, plain (P2) or raw (P5).
Samples decode_pgm(std::string_view bytes, const std::string& name);

/// Grey levels 0 … 255 of a PNG picture of any kind.
Samples decode_png(std::string_view bytes, const std::string& name);

/// The file of a signal of kind Csv, Wav or Image.
Samples read_signal_file(const Signal& signal);

/// Pictures beyond this many pixels are refused.
inline constexpr std::uint64_t max_pixels = std::uint64_t(1) << 26;

}  // namespace twiddle
