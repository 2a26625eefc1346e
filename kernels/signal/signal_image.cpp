#include "base/error.h"
#include "kernels/signal/signal_files.h"

#include <png.h>

#include <charconv>

namespace twiddle {
namespace {

Samples blank(std::uint64_t width, std::uint64_t height, const std::string& name) {
  if (width == 0 || height == 0) throw unreadable("{} is a picture of {} × {} pixels", name, width, height);
  if (width > max_pixels || height > max_pixels / width)
    throw unreadable("{} says that it has {} × {} pixels, more than the {} that can be read", name, width, height,
                     max_pixels);
  Samples samples;
  samples.width = width;
  samples.height = height;
  return samples;
}

// The text part of a PGM file: numbers between white space, comments from # to the end of the line.
class PgmText {
 public:
  PgmText(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  std::uint64_t number(const char* what, std::uint64_t max) {
    skip_space();
    std::uint64_t value = 0;
    const char* begin = bytes_.data() + at_;
    const auto [end, error] = std::from_chars(begin, bytes_.data() + bytes_.size(), value);
    if (end == begin) throw unreadable("{} is cut short or damaged: its {} is missing", name_, what);
    if (error != std::errc() || value > max)
      throw unreadable("{}: its {}, {}, is more than {}", name_, what, std::string_view(begin, end), max);
    at_ += static_cast<std::size_t>(end - begin);
    return value;
  }

  std::string_view rest() const { return bytes_.substr(std::min(bytes_.size(), at_ + 1)); }  // after one white space
  std::size_t left() const { return bytes_.size() - at_; }

 private:
  void skip_space() {
    while (at_ < bytes_.size()) {
      if (bytes_[at_] == '#')
        at_ = std::min(bytes_.size(), bytes_.find('\n', at_));
      else if (std::string_view(" \t\r\n\f\v").find(bytes_[at_]) != std::string_view::npos)
        ++at_;
      else
        return;
    }
  }

  std::string_view bytes_;
  const std::string& name_;
  std::size_t at_ = 2;  // after "P2" or "P5"
};

}  // namespace

Samples decode_pgm(std::string_view bytes, const std::string& name) {
  const bool plain = bytes.substr(0, 2) == "P2";
  if (!plain && bytes.substr(0, 2) != "P5")
    throw unreadable("{} is not a PGM picture: it begins with neither P2 nor P5", name);
  PgmText text(bytes, name);
  const std::uint64_t width = text.number("width", max_pixels), height = text.number("height", max_pixels);
  const std::uint64_t white = text.number("largest grey level", 65535);
  if (white == 0) throw unreadable("{} says that its largest grey level is 0", name);

  Samples samples = blank(width, height, name);
  const std::uint64_t pixels = width * height, depth = white > 255 ? 2 : 1;
  const std::string_view raw = text.rest();
  const std::uint64_t needed = plain ? 2 * pixels - 1 : pixels * depth;  // a plain level takes a digit and a space
  if (needed > (plain ? text.left() : raw.size()))
    throw unreadable("{} is cut short: {} × {} pixels need {} bytes, {} are there", name, width, height, needed,
                     raw.size());
  samples.values.reserve(pixels);
  for (std::uint64_t i = 0; i < pixels; ++i) {
    std::uint64_t level = 0;
    if (plain)
      level = text.number("next pixel", 65535);
    else
      for (std::uint64_t byte = 0; byte < depth; ++byte)
        level = level << 8 | static_cast<unsigned char>(raw[i * depth + byte]);
    if (level > white) throw unreadable("{}: pixel {} is {}, above its largest grey level {}", name, i, level, white);
    samples.values.emplace_back(static_cast<double>(level));
  }
  return samples;
}

Samples decode_png(std::string_view bytes, const std::string& name) {
  // libpng's simplified interface: it keeps errors to itself and reports them in the structure.
  struct Image : png_image {
    Image() : png_image{} { version = PNG_IMAGE_VERSION; }
    ~Image() { png_image_free(this); }
    Image(const Image&) = delete;
    Image& operator=(const Image&) = delete;
  } image;
  if (!png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()))
    throw unreadable("{} is not a PNG picture that can be read: {}", name, image.message);
  Samples samples = blank(image.width, image.height, name);
  image.format = PNG_FORMAT_GRAY;
  const png_color black{0, 0, 0};  // what shows through transparent pixels
  std::vector<png_byte> grey(samples.width * samples.height);
  if (!png_image_finish_read(&image, &black, grey.data(), 0, nullptr))
    throw unreadable("{} is not a PNG picture that can be read: {}", name, image.message);
  samples.values.assign(grey.begin(), grey.end());
  return samples;
}

}  // namespace twiddle
