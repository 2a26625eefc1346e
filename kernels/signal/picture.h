// Grey pictures out of two-dimensional arrays. (Pictures go in as signals: signal.h.)
#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace twiddle {

/// Grey levels, 0 black … 255 white, row by row.
struct GreyPicture {
  std::uint64_t rows = 0, columns = 0;
  std::vector<std::uint8_t> pixels;
  std::uint64_t clipped = 0;  // values that no level stands for: outside of 0 … 255 after rounding, or not finite
};

/// A two-dimensional spectrum as one looks at it: log(1 + |X|), black where X is 0 and white where |X| is largest, with
/// frequency 0 in the middle (row rows/2, column columns/2). `spectrum` holds rows × columns values, row-major.
GreyPicture spectrum_picture(std::span<const std::complex<double>> spectrum, std::uint64_t rows, std::uint64_t columns);

/// The first rows × columns values of an array as the picture they came from: real parts, rounded to grey levels. A row of
/// the array has `pitch` values, at least `columns`.
GreyPicture level_picture(std::span<const std::complex<double>> values, std::uint64_t rows, std::uint64_t columns,
                          std::uint64_t pitch);

/// The picture as a PNG or a raw PGM (P5) file. Throws Error (usage) when it is too large for the format.
std::string encode_png(const GreyPicture& picture);
std::string encode_pgm(const GreyPicture& picture);

}  // namespace twiddle
