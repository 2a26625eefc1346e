#include "base/error.h"
#include "kernels/signal/signal_files.h"

#include <bit>
#include <cmath>

namespace twiddle {
namespace {

constexpr unsigned format_pcm = 1, format_float = 3, format_extensible = 0xFFFE;

// Little-endian numbers of 1 … 8 bytes.
std::uint64_t number_at(std::string_view bytes, std::size_t offset, std::size_t width) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < width; ++i)
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[offset + i])) << (8 * i);
  return value;
}

struct Format {
  unsigned format = 0, channels = 0, rate = 0, frame_bytes = 0, bits = 0;
};

Format read_format(std::string_view chunk, const std::string& name) {
  if (chunk.size() < 16)
    throw unreadable("{} has a format chunk of {} bytes, where 16 are the least", name, chunk.size());
  Format format;
  format.format = static_cast<unsigned>(number_at(chunk, 0, 2));
  format.channels = static_cast<unsigned>(number_at(chunk, 2, 2));
  format.rate = static_cast<unsigned>(number_at(chunk, 4, 4));
  format.frame_bytes = static_cast<unsigned>(number_at(chunk, 12, 2));
  format.bits = static_cast<unsigned>(number_at(chunk, 14, 2));
  if (format.format == format_extensible) {
    if (chunk.size() < 40) throw unreadable("{} announces an extended format but does not hold it", name);
    format.format =
        static_cast<unsigned>(number_at(chunk, 24, 2));  // the sub-format's identifier begins with the old code
  }
  const bool pcm =
      format.format == format_pcm && (format.bits == 8 || format.bits == 16 || format.bits == 24 || format.bits == 32);
  const bool floating = format.format == format_float && (format.bits == 32 || format.bits == 64);
  if (!pcm && !floating)
    throw unreadable("{} is of format {} with {} bits: PCM of 8, 16, 24 or 32 bits and floats of 32 or 64 can be read",
                     name, format.format, format.bits);
  if (format.channels == 0) throw unreadable("{} says that it has no channels", name);
  if (format.frame_bytes != format.channels * format.bits / 8)
    throw unreadable("{} contradicts itself: {} channels of {} bits do not make frames of {} bytes", name,
                     format.channels, format.bits, format.frame_bytes);
  return format;
}

double sample_of(std::string_view frame, const Format& format) {
  const std::uint64_t bits = number_at(frame, 0, format.bits / 8);
  if (format.format == format_float)
    return format.bits == 64 ? std::bit_cast<double>(bits)
                             : static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  if (format.bits == 8) return (static_cast<double>(bits) - 128) / 128;  // the only unsigned one
  const std::uint64_t half = std::uint64_t(1) << (format.bits - 1);
  return (static_cast<double>(bits ^ half) - static_cast<double>(half)) / static_cast<double>(half);
}

}  // namespace

Samples decode_wav(std::string_view bytes, const std::string& name) {
  if (bytes.size() < 12 || bytes.substr(0, 4) != "RIFF" || bytes.substr(8, 4) != "WAVE")
    throw unreadable("{} is not a WAV file: it does not begin with RIFF … WAVE", name);
  Format format;
  std::size_t at = 12;
  while (at + 8 <= bytes.size()) {
    const std::string_view id = bytes.substr(at, 4);
    const std::uint64_t size = number_at(bytes, at + 4, 4);
    const std::uint64_t left = bytes.size() - at - 8;
    if (size > left && (id == "fmt " || id == "data"))
      throw unreadable("{} says that its {} chunk has {} bytes, but only {} are there", name,
                       id == "data" ? "data" : "format", size, left);
    if (size > left) break;
    const std::string_view chunk = bytes.substr(at + 8, size);
    if (id == "fmt ") format = read_format(chunk, name);
    if (id == "data") {
      if (format.channels == 0) throw unreadable("{} has samples before it says of which format they are", name);
      if (size % format.frame_bytes != 0)
        throw unreadable("{} holds {} bytes of samples, not a whole number of frames of {} bytes", name, size,
                         format.frame_bytes);
      if (size == 0) throw unreadable("{} holds no samples", name);
      Samples samples;
      samples.rate = format.rate;
      samples.width = size / format.frame_bytes;
      samples.values.reserve(samples.width);
      for (std::uint64_t frame = 0; frame < samples.width; ++frame) {
        const double value = sample_of(chunk.substr(frame * format.frame_bytes, format.frame_bytes), format);
        if (!std::isfinite(value)) throw unreadable("{}: sample {} is not a finite number", name, frame);
        samples.values.emplace_back(value);
      }
      return samples;
    }
    at += 8 + size + size % 2;  // chunks begin at even offsets
  }
  throw unreadable("{} holds no samples: there is no data chunk", name);
}

}  // namespace twiddle
