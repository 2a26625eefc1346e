// Samples as a sound: what is heard of them, without a device.
#include "kernels/signal/roots.h"
#include "kernels/signal/signal_files.h"
#include "kernels/signal/sound.h"
#include "test_support.h"

#include <doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>

using namespace twiddle;

namespace {

using Values = std::vector<std::complex<double>>;

Values wave(std::uint64_t count, double turns) {
  Values values;
  for (std::uint64_t j = 0; j < count; ++j)
    values.emplace_back(unit_root(std::fmod(turns * double(j), double(count)) / double(count)).real());
  return values;
}

/// How much of a channel's energy is a tone of that many Hz, 0 … 1.
double share_of_tone(const Sound& sound, double hertz, unsigned channel = 0) {
  std::complex<double> sum = 0;
  double energy = 0, window = 0;
  for (std::uint64_t f = 0; f < sound.frames(); ++f) {
    const double value = sound.numbers[f * sound.channels + channel];
    sum += value * std::polar(1.0, -2 * std::numbers::pi * hertz * double(f) / sound.rate);
    energy += value * value, window += 1;
  }
  return energy > 0 ? 2 * std::norm(sum) / (window * energy) : 0;
}

int peak(const Sound& sound) {
  int largest = 0;
  for (const std::int16_t number : sound.numbers) largest = std::max(largest, std::abs(int(number)));
  return largest;
}

}  // namespace

TEST_CASE("k turns in all samples are a tone of k times 220 Hz, and of many samples 44,100 are heard in a second") {
  struct Case {
    std::uint64_t count;
    double turns, hertz;
  };
  for (const Case& one : {Case{8, 1, 220},
                          {8, 3, 660},
                          {32, 4, 880},
                          {64, 5, 1100},
                          {64, 31, 6820},
                          {200, 7, 1540},
                          {256, 3, 3 * 44100.0 / 256},
                          {4096, 40, 40 * 44100.0 / 4096}}) {
    CAPTURE(one.count);
    CAPTURE(one.turns);
    const Sound sound = make_sound(wave(one.count, one.turns));
    CHECK(sound.channels == 1);
    CHECK(sound.rate == Sound::usual_rate);
    CHECK(sound.samples == one.count);
    CHECK(sound.seconds() >= Sound::min_seconds - 1e-4);
    CHECK(sound.seconds() < Sound::min_seconds + double(one.count) / sound.sample_rate + 1e-4);
    CHECK_FALSE(sound.silent);
    CHECK(share_of_tone(sound, one.hertz) > 0.95);  // the rest is in the fades
    CHECK(peak(sound) == int(std::lround(Sound::level * 32767)));
  }
}

TEST_CASE("an alias sounds as what it is an alias of") {
  CHECK(make_sound(wave(32, 28)).numbers == make_sound(wave(32, 4)).numbers);
}

TEST_CASE("a sound begins and ends in silence, and nothing in it clicks") {
  const double hertz = 3 * Sound::tone;
  const Sound sound = make_sound(wave(16, 3));
  CHECK(sound.numbers.front() == 0);
  CHECK(sound.numbers.back() == 0);
  const double steepest = 2 * std::numbers::pi * hertz / sound.rate * Sound::level * 32767;
  for (std::size_t i = 1; i < sound.numbers.size(); ++i)
    REQUIRE(std::abs(sound.numbers[i] - sound.numbers[i - 1]) <= 1.05 * steepest + 2);
  // In the middle it is as loud as it gets, at its ends hardly to be heard.
  const auto frames = static_cast<std::size_t>(0.001 * sound.rate);
  for (std::size_t i = 0; i < frames; ++i) REQUIRE(std::abs(int(sound.numbers[i])) < 0.02 * 32767);
}

TEST_CASE("complex samples have two channels, constants are silent, and what is no number is") {
  Values turning;
  for (int j = 0; j < 64; ++j) turning.push_back(twiddle_factor(std::uint64_t(j) * 5, 64, 1));
  const Sound both = make_sound(turning);
  CHECK(both.channels == 2);
  CHECK(share_of_tone(both, 1100, 0) > 0.95);
  CHECK(share_of_tone(both, 1100, 1) > 0.95);
  CHECK(words_of(both) ==
        "64 samples, 14080 a second, 220 times: one turn in all of them is a tone of 220 Hz; real parts left, "
        "imaginary parts right");

  for (const double value : {0.0, 1.0, -3.25e30, 1.0 / 3}) {
    const Sound still = make_sound(Values(64, value));
    CHECK(still.silent);
    CHECK(peak(still) == 0);
    CHECK(words_of(still).english().find("nothing can be heard") != std::string::npos);
  }
  CHECK(make_sound(Values(1, 5.0)).silent);

  // A constant beneath a tone is not heard.
  Values raised = wave(64, 5);
  for (auto& x : raised) x += 1000.0;
  CHECK(share_of_tone(make_sound(raised), 1100) > 0.95);

  Values holes = wave(64, 5);
  holes[3] = std::numeric_limits<double>::quiet_NaN();
  holes[9] = std::numeric_limits<double>::infinity();
  const Sound partly = make_sound(holes);
  CHECK(partly.not_numbers == 2);
  CHECK_FALSE(partly.silent);
  CHECK(words_of(partly).english().find("2 that are no finite numbers are silent") != std::string::npos);
  CHECK_THROWS_AS(make_sound(Values{}), Error);
}

TEST_CASE("samples of a known rate are heard at it, long ones for ten seconds") {
  const Sound second = make_sound(wave(8000, 440), 8000);
  CHECK(second.rate == 8000);
  CHECK(second.repeats == 1);
  CHECK(second.frames() == 8000);
  CHECK(share_of_tone(second, 440) > 0.95);
  const Sound slow = make_sound(wave(2000, 100), 2000);
  CHECK(slow.rate == 2000);
  CHECK(slow.seconds() == doctest::Approx(1));
  CHECK(share_of_tone(slow, 100) > 0.95);
  const Sound cut = make_sound(wave(200000, 1000), 8000);
  CHECK(cut.cut);
  CHECK(cut.frames() == 80000);
  CHECK(words_of(cut) == "200000 samples, 8000 a second: the first 10 seconds");
  for (const double odd :
       {0.0, -1.0, 1e-300, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
    CHECK(make_sound(wave(64, 5), odd).sample_rate == 64 * Sound::tone);
  CHECK(make_sound(wave(1000, 5), 1e12).rate == 192000);
}

TEST_CASE("a sound's WAV file is read back as its numbers") {
  Values turning;
  for (int j = 0; j < 16; ++j) turning.push_back(twiddle_factor(std::uint64_t(j), 16, 1));
  for (const Sound& sound : {make_sound(wave(64, 5)), make_sound(turning), make_sound(wave(8000, 5), 8000)}) {
    const Samples back = decode_wav(encode_wav(sound), "sound.wav");
    CHECK(back.rate == sound.rate);
    REQUIRE(back.values.size() == sound.frames());
    for (std::uint64_t f = 0; f < sound.frames(); ++f)
      REQUIRE(back.values[f].real() == double(sound.numbers[f * sound.channels]) / 32768);
  }
}
