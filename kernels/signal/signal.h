// Input signals: named shapes (ramp, impulse, cosine, …) and files (CSV, WAV, PGM, PNG), all of them untrusted text.
#pragma once

#include "base/message.h"

#include <complex>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

/// How to make an input: `ramp`, `impulse[:k]`, `constant[:c]`, `cosine[:k]`, `sine[:k]`, `square[:period]`,
/// `sawtooth[:period]`, `random[:seed]`, or the path of a .csv, .wav, .pgm or .png file.
struct Signal {
  enum class Kind { Ramp, Impulse, Constant, Cosine, Sine, Square, Sawtooth, Random, Csv, Wav, Image };
  Kind kind = Kind::Ramp;
  double parameter = 0;
  std::uint64_t seed = 0;
  std::filesystem::path file;
};

/// Parses the text form. Throws Error (usage), naming the nearest known signal.
Signal parse_signal(std::string_view text);

/// A decoded file or generated sequence: `width` × `height` samples, row-major; height is 1 for one-dimensional signals.
struct Samples {
  std::uint64_t width = 0, height = 1;
  double rate = 0;  // samples a second, for WAV; 0: unknown
  std::vector<std::complex<double>> values;
};

/// Rows × columns samples, one row of a sequence. Files shorter than asked are zero-padded, longer ones cut; what was done
/// is said in `note` ("padded with 24 zeros"). Random values are k·2^−24 − 0.5, uniform in [−0.5, 0.5), real and imaginary,
/// from a counter-based generator (the same on every machine). Sinusoids and square waves of a picture run along each
/// row; the other generated kinds run on from row to row. Throws Error (unreadable, usage).
Samples make_image(const Signal& signal, std::uint64_t rows, std::uint64_t columns, Message* note = nullptr);

/// Whether a file is named like one that a signal can come from.
bool names_signal_file(const std::filesystem::path& file);

/// Whether the signal comes from a file.
bool is_file(const Signal& signal);

/// Sample j of a generated signal, in rows of `columns` samples (one-dimensional: columns is the whole length).
std::complex<double> sample_at(const Signal& signal, std::uint64_t j, std::uint64_t columns);

/// Throws Error (usage) when a generated signal does not fit into `count` samples (an impulse past the end).
void check_signal(const Signal& signal, std::uint64_t count);

/// What `twiddle list signals` prints.
struct SignalKind {
  std::string_view form, meaning;
};
const std::vector<SignalKind>& signal_kinds();
/// The names of those that need no file: "ramp", "impulse", …
std::vector<std::string> signal_words();

}  // namespace twiddle
