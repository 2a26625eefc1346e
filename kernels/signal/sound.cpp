#include "kernels/signal/sound.h"

#include "base/error.h"
#include "kernels/signal/roots.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

namespace twiddle {
namespace {

constexpr double min_rate = 100, max_rate = 192000;  // what devices take

/// A channel without its mean; what is no number is 0.
std::vector<double> centred(std::span<const std::complex<double>> samples, bool imaginary) {
  std::vector<double> values;
  values.reserve(samples.size());
  double sum = 0;
  std::uint64_t known = 0;
  for (const std::complex<double>& sample : samples) {
    const double value = imaginary ? sample.imag() : sample.real();
    values.push_back(value);
    if (std::isfinite(value)) sum += value, ++known;
  }
  const double mean = known > 0 ? sum / static_cast<double>(known) : 0;
  for (double& value : values) value = std::isfinite(value) ? value - mean : 0;
  return values;
}

/// The one curve through samples that repeat for ever that has no frequency beyond half of their rate: as its Fourier series.
class Curve {
 public:
  explicit Curve(const std::vector<double>& values) : count_(values.size()) {
    for (std::uint64_t k = 0; 2 * k <= count_; ++k) {
      std::complex<double> sum = 0;
      for (std::uint64_t j = 0; j < count_; ++j) sum += values[j] * twiddle_factor(j * k, count_, -1);
      const bool alone = k == 0 || 2 * k == count_;  // of the others each has a mirror image
      waves_.push_back(sum * (alone ? 1.0 : 2.0) / static_cast<double>(count_));
    }
  }
  /// At a place between 0 and the number of samples.
  double at(double place) const {
    const std::complex<double> turn = unit_root(place / static_cast<double>(count_));
    std::complex<double> turned = 1;
    double sum = 0;
    for (const std::complex<double>& wave : waves_) {
      sum += wave.real() * turned.real() - wave.imag() * turned.imag();
      turned *= turn;
    }
    return sum;
  }

 private:
  std::uint64_t count_;
  std::vector<std::complex<double>> waves_;
};

void put_number(std::string& bytes, std::uint64_t value, int width) {
  for (int i = 0; i < width; ++i) bytes += static_cast<char>((value >> (8 * i)) & 0xff);
}

}  // namespace

Sound make_sound(std::span<const std::complex<double>> samples, double rate) {
  if (samples.empty()) throw usage_error("There are no samples to be heard.");
  Sound sound;
  const auto count = static_cast<double>(samples.size());
  const bool known = std::isfinite(rate) && rate >= min_rate;
  sound.sample_rate =
      known ? std::min(rate, max_rate) : std::min(Sound::tone * count, static_cast<double>(Sound::usual_rate));
  // Samples of a tone that is too low for a device's rates have a curve drawn through them.
  const bool as_is = known || sound.sample_rate == Sound::usual_rate;
  sound.rate = as_is ? static_cast<unsigned>(std::lround(sound.sample_rate)) : Sound::usual_rate;
  sound.samples = samples.size();
  const double once = count / sound.sample_rate;
  sound.repeats = once < Sound::min_seconds ? static_cast<std::uint64_t>(std::ceil(Sound::min_seconds / once)) : 1;
  sound.cut = once > Sound::max_seconds;
  const double seconds = std::min(once * static_cast<double>(sound.repeats), Sound::max_seconds);
  const auto frames = static_cast<std::uint64_t>(std::llround(seconds * sound.rate));
  for (const std::complex<double>& sample : samples)
    if (!std::isfinite(sample.real()) || !std::isfinite(sample.imag())) ++sound.not_numbers;
  const bool complex = std::any_of(samples.begin(), samples.end(), [](const auto& x) { return x.imag() != 0; });
  sound.channels = complex ? 2 : 1;

  std::array<std::vector<double>, 2> channels{centred(samples, false), {}};
  if (complex) channels[1] = centred(samples, true);
  std::vector<double> heard(frames * sound.channels);
  double peak = 0, largest = 0;
  for (const std::complex<double>& sample : samples)
    for (const double part : {sample.real(), sample.imag()})
      if (std::isfinite(part)) largest = std::max(largest, std::abs(part));
  const double step = sound.sample_rate / sound.rate;
  for (unsigned c = 0; c < sound.channels; ++c) {
    const std::optional<Curve> curve = as_is ? std::nullopt : std::optional<Curve>(channels[c]);
    for (std::uint64_t frame = 0; frame < frames; ++frame) {
      const double value =
          curve ? curve->at(std::fmod(static_cast<double>(frame) * step, count)) : channels[c][frame % samples.size()];
      heard[frame * sound.channels + c] = value;
      peak = std::max(peak, std::abs(value));
    }
  }
  constexpr double rounding = 1e-9;  // of the largest sample: what is left of a constant without its mean
  sound.silent = !(peak > rounding * largest);
  sound.numbers.resize(heard.size());
  if (sound.silent) return sound;
  const double fade = std::max(1.0, std::min(Sound::fade_seconds * sound.rate, static_cast<double>(frames) / 4));
  const double loud = Sound::level * 32767 / peak;
  for (std::uint64_t frame = 0; frame < frames; ++frame) {
    const double edge =
        std::min({1.0, static_cast<double>(frame) / fade, static_cast<double>(frames - 1 - frame) / fade});
    const double gain = loud * (0.5 - 0.5 * std::cos(std::numbers::pi * edge));
    for (unsigned c = 0; c < sound.channels; ++c) {
      const std::uint64_t at = frame * sound.channels + c;
      sound.numbers[at] = static_cast<std::int16_t>(std::lround(heard[at] * gain));
    }
  }
  return sound;
}

Message words_of(const Sound& sound) {
  const auto rate = static_cast<std::uint64_t>(std::llround(sound.sample_rate));
  Message message =
      sound.cut ? Message("{} samples, {} a second: the first {} seconds", sound.samples, rate,
                          static_cast<int>(Sound::max_seconds))
      : sound.repeats > 1
          ? Message("{} samples, {} a second, {} times: one turn in all of them is a tone of {:.4g} Hz", sound.samples,
                    rate, sound.repeats, sound.sample_rate / static_cast<double>(sound.samples))
          : Message("{} samples, {} a second", sound.samples, rate);
  if (sound.channels == 2) message += Message("; real parts left, imaginary parts right");
  if (sound.not_numbers > 0) message += Message("; {} that are no finite numbers are silent", sound.not_numbers);
  if (sound.silent) message += Message("; all are the same, so that nothing can be heard");
  return message;
}

std::string encode_wav(const Sound& sound) {
  const std::uint64_t frame_bytes = 2 * sound.channels, data = 2 * sound.numbers.size();
  std::string bytes = "RIFF";
  put_number(bytes, 36 + data, 4);
  bytes += "WAVEfmt ";
  put_number(bytes, 16, 4);
  put_number(bytes, 1, 2);  // PCM
  put_number(bytes, sound.channels, 2);
  put_number(bytes, sound.rate, 4);
  put_number(bytes, sound.rate * frame_bytes, 4);
  put_number(bytes, frame_bytes, 2);
  put_number(bytes, 16, 2);  // bits
  bytes += "data";
  put_number(bytes, data, 4);
  for (const std::int16_t number : sound.numbers) put_number(bytes, static_cast<std::uint16_t>(number), 2);
  return bytes;
}

}  // namespace twiddle
