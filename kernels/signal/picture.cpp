#include "kernels/signal/picture.h"

#include "base/error.h"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <cmath>

namespace twiddle {
namespace {

constexpr double white = 255;

GreyPicture blank(std::uint64_t rows, std::uint64_t columns) {
  GreyPicture picture;
  picture.rows = rows;
  picture.columns = columns;
  picture.pixels.resize(rows * columns);
  return picture;
}

}  // namespace

GreyPicture spectrum_picture(std::span<const std::complex<double>> spectrum, std::uint64_t rows,
                             std::uint64_t columns) {
  GreyPicture picture = blank(rows, columns);
  double largest = 0;
  for (const std::complex<double>& value : spectrum)
    if (std::isfinite(std::abs(value))) largest = std::max(largest, std::abs(value));
  const double scale = largest > 0 ? white / std::log1p(largest) : 0;
  for (std::uint64_t row = 0; row < rows; ++row) {
    const std::uint64_t from_row = (row + rows - rows / 2) % rows;
    for (std::uint64_t column = 0; column < columns; ++column) {
      const std::uint64_t from_column = (column + columns - columns / 2) % columns;
      const double magnitude = std::abs(spectrum[from_row * columns + from_column]);
      if (std::isfinite(magnitude))
        picture.pixels[row * columns + column] = static_cast<std::uint8_t>(std::lround(std::log1p(magnitude) * scale));
      else
        ++picture.clipped;
    }
  }
  return picture;
}

GreyPicture level_picture(std::span<const std::complex<double>> values, std::uint64_t rows, std::uint64_t columns,
                          std::uint64_t pitch) {
  GreyPicture picture = blank(rows, columns);
  for (std::uint64_t row = 0; row < rows; ++row) {
    for (std::uint64_t column = 0; column < columns; ++column) {
      const double level = std::nearbyint(values[row * pitch + column].real());
      if (!(level >= 0 && level <= white)) ++picture.clipped;  // NaN among them
      if (level > 0) picture.pixels[row * columns + column] = static_cast<std::uint8_t>(std::min(level, white));
    }
  }
  return picture;
}

std::string encode_png(const GreyPicture& picture) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.columns);
  image.height = static_cast<png_uint_32>(picture.rows);
  image.format = PNG_FORMAT_GRAY;
  std::string bytes;
  png_alloc_size_t size = 0;
  // The first call only measures.
  bool good = png_image_write_to_memory(&image, nullptr, &size, 0, picture.pixels.data(), 0, nullptr) != 0;
  if (good) {
    bytes.resize(size);
    good = png_image_write_to_memory(&image, bytes.data(), &size, 0, picture.pixels.data(), 0, nullptr) != 0;
    bytes.resize(size);
  }
  const std::string message = image.message;
  png_image_free(&image);
  if (!good)
    throw usage_error("a picture of {} × {} pixels cannot be written as PNG: {}", picture.columns, picture.rows,
                      message);
  return bytes;
}

std::string encode_pgm(const GreyPicture& picture) {
  std::string bytes = fmt::format("P5\n{} {}\n255\n", picture.columns, picture.rows);
  bytes.append(picture.pixels.begin(), picture.pixels.end());
  return bytes;
}

}  // namespace twiddle
