// Samples as a sound: repeated until they can be heard, as loud as is safe, without clicks. No device here; and as a WAV file.
#pragma once

#include "base/message.h"

#include <complex>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace twiddle {

struct Sound {
  static constexpr double tone = 220;  // Hz of one turn in all samples, where no rate is known and they are few
  static constexpr unsigned usual_rate = 44100;
  static constexpr double min_seconds = 1, max_seconds = 10, fade_seconds = 0.02;
  static constexpr double level = 0.25;  // of the largest number that 16 bits hold: 12 dB below it

  unsigned rate = usual_rate;              // frames a second
  unsigned channels = 1;                   // 2: real parts at the left, imaginary parts at the right
  std::vector<std::int16_t> numbers;       // frame by frame
  double sample_rate = usual_rate;         // of the samples, which may be fewer a second than frames
  std::uint64_t samples = 0, repeats = 1;  // how many there are, and how often they are heard
  std::uint64_t not_numbers = 0;           // infinite or no number: silent
  bool cut = false;                        // there are more samples than max_seconds hold
  bool silent = false;                     // all samples are the same: nothing can be heard

  std::uint64_t frames() const { return numbers.size() / channels; }
  double seconds() const { return static_cast<double>(frames()) / rate; }
};

/// The sound of samples, at least one. `rate`: samples a second, 0 where that is not known: then one turn in all of them is a tone
/// of 220 Hz, and of more than 200 samples 44,100 are heard in a second. What is shorter than a second is repeated until it is
/// one, what is longer than ten is cut. Between few samples the sound is their band-limited interpolation, so that k turns
/// are a pure tone. The mean is taken away, for it cannot be heard. The sound
/// begins and ends in fades, and its peak is at Sound::level.
Sound make_sound(std::span<const std::complex<double>> samples, double rate = 0);

/// How it was made, in one sentence.
Message words_of(const Sound& sound);

/// As a RIFF WAVE file of 16-bit PCM.
std::string encode_wav(const Sound& sound);

}  // namespace twiddle
