#include "kernels/signal/signal.h"

#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/message.h"
#include "base/read_file.h"
#include "base/text.h"
#include "base/values/hash.h"
#include "kernels/signal/roots.h"
#include "kernels/signal/signal_files.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace twiddle {
namespace {

// What may follow the colon of a named signal.
enum class Takes { Nothing, Index, Number, Period, Seed };

struct NamedSignal {
  std::string_view form;  // with what may follow in brackets
  Signal::Kind kind;
  Takes takes;
  double default_value;
  std::string_view meaning;

  std::string_view name() const { return form.substr(0, form.find('[')); }
};

constexpr NamedSignal named_signals[] = {
    {"ramp", Signal::Kind::Ramp, Takes::Nothing, 0, "x[j] = j"},
    {"impulse[:k]", Signal::Kind::Impulse, Takes::Index, 0, "1 at j = k (0), else 0"},
    {"constant[:c]", Signal::Kind::Constant, Takes::Number, 1, "c (1) everywhere"},
    {"cosine[:k]", Signal::Kind::Cosine, Takes::Number, 1, "cos(2πkj/N): k (1) periods"},
    {"sine[:k]", Signal::Kind::Sine, Takes::Number, 1, "sin(2πkj/N): k (1) periods"},
    {"square[:period]", Signal::Kind::Square, Takes::Period, 8,
     "1 for the first half of each period (8 samples), −1 for the second"},
    {"sawtooth[:period]", Signal::Kind::Sawtooth, Takes::Period, 16, "j mod period (16)"},
    {"random[:seed]", Signal::Kind::Random, Takes::Seed, 1,
     "uniform in [−0.5, 0.5), real and imaginary; whole numbers 0 … 255 in integer buffers"},
};

struct FileSignal {
  std::string_view form;  // "FILE" and the extension
  Signal::Kind kind;
  std::string_view meaning;
};

constexpr FileSignal file_signals[] = {
    {"FILE.csv", Signal::Kind::Csv, "a line a sample: re or re,im"},
    {"FILE.wav", Signal::Kind::Wav, "the first channel: PCM as [−1, 1), floats as they are"},
    {"FILE.pgm", Signal::Kind::Image, "grey levels, row by row"},
    {"FILE.png", Signal::Kind::Image, "grey levels 0 … 255, row by row"},
};

// A counter-based generator: output i of stream `seed` is a hash of both (SplitMix64's finaliser, applied twice), so that
// every machine and every order of asking gives the same numbers. k·2^−24 − 0.5 for a 24-bit k: exact in a float.
double uniform(std::uint64_t seed, std::uint64_t counter) {
  const std::uint64_t bits = split_mix(split_mix(seed + golden_64) + counter * golden_64);
  return static_cast<double>(bits >> 40) * 0x1p-24 - 0.5;
}

void read_parameter(Signal& signal, const NamedSignal& named, std::string_view text) {
  switch (named.takes) {
    case Takes::Nothing: throw usage_error("{} takes nothing after a colon, but \"{}\" is there", named.name(), text);
    case Takes::Seed:
      if (const auto seed = number_in<decltype(signal.seed)>(text)) return void(signal.seed = *seed);
      throw usage_error("random takes a seed from 0 on, not \"{}\"", text);
    case Takes::Index:
    case Takes::Period: {
      const std::uint64_t min = named.takes == Takes::Period ? 1 : 0;
      const auto whole = number_in<std::uint64_t>(text);
      if (!whole || *whole < min || *whole > std::uint64_t(1) << 40)
        throw usage_error("{} takes a whole number from {} on, not \"{}\"", named.name(), min, text);
      signal.parameter = static_cast<double>(*whole);
      return;
    }
    case Takes::Number:
      signal.parameter = number_in<double>(text).value_or(INFINITY);
      if (!(std::abs(signal.parameter) <= 1e30)) throw usage_error("{} takes a number, not \"{}\"", named.name(), text);
      return;
  }
}

std::string lower_extension(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return extension;
}

std::optional<Signal::Kind> kind_of_file(const std::filesystem::path& file) {
  const std::string extension = lower_extension(file);
  for (const FileSignal& signal : file_signals)
    if (!extension.empty() && signal.form.ends_with(extension)) return signal.kind;
  return std::nullopt;
}

std::optional<Signal> file_signal(std::string_view text) {
  const std::filesystem::path file(text);
  if (const std::optional<Signal::Kind> kind = kind_of_file(file)) {
    Signal signal;
    signal.kind = *kind;
    signal.file = file;
    return signal;
  }
  if (text.find('/') != std::string_view::npos || !lower_extension(file).empty())
    throw usage_error("\"{}\" is no file that a signal can come from: .csv, .wav, .pgm and .png are", text);
  return std::nullopt;
}

// The file's samples cut or zero-padded to rows × columns. A sequence fills the rows one after another; a picture keeps its
// upper left corner.
Samples fitted(const Samples& file, const Signal& signal, std::uint64_t rows, std::uint64_t columns, Message* note) {
  Samples samples;
  samples.width = columns;
  samples.height = rows;
  samples.rate = file.rate;
  samples.values.resize(rows * columns);
  const bool picture = file.height > 1 && rows > 1;
  const std::uint64_t file_rows = picture ? file.height : 1;
  const std::uint64_t file_columns = picture ? file.width : file.values.size();
  const std::uint64_t to_rows = picture ? rows : 1, to_columns = picture ? columns : rows * columns;
  for (std::uint64_t row = 0; row < std::min(file_rows, to_rows); ++row)
    std::copy_n(file.values.begin() + static_cast<std::ptrdiff_t>(row * file_columns),
                std::min(file_columns, to_columns),
                samples.values.begin() + static_cast<std::ptrdiff_t>(row * to_columns));
  if (!note) return samples;
  const std::string name = signal.file.string();
  if (picture && (file_rows != to_rows || file_columns != to_columns))
    *note = Message("{} is {} × {} pixels: cut or padded with zeros to {} × {}", name, file_columns, file_rows,
                    to_columns, to_rows);
  else if (file_columns < to_columns)
    *note = Message("{} holds {} samples: padded with {} zeros", name, file_columns, to_columns - file_columns);
  else if (file_columns > to_columns)
    *note = Message("{} holds {} samples: the last {} were left out", name, file_columns, file_columns - to_columns);
  return samples;
}

}  // namespace

Samples read_signal_file(const Signal& signal) {
  constexpr std::uintmax_t max_file = std::uintmax_t(1) << 30;
  const std::string name = signal.file.string();
  const std::string bytes = read_file(signal.file, max_file);
  switch (signal.kind) {
    case Signal::Kind::Csv: return decode_csv(bytes, name);
    case Signal::Kind::Wav: return decode_wav(bytes, name);
    default: return lower_extension(signal.file) == ".png" ? decode_png(bytes, name) : decode_pgm(bytes, name);
  }
}

bool names_signal_file(const std::filesystem::path& file) { return kind_of_file(file).has_value(); }

bool is_file(const Signal& signal) {
  return signal.kind == Signal::Kind::Csv || signal.kind == Signal::Kind::Wav || signal.kind == Signal::Kind::Image;
}

Signal parse_signal(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  for (const NamedSignal& named : named_signals) {
    if (named.name() != name) continue;
    Signal signal;
    signal.kind = named.kind;
    signal.parameter = named.default_value;
    if (named.takes == Takes::Seed) signal.seed = static_cast<std::uint64_t>(named.default_value);
    if (colon != std::string_view::npos) read_parameter(signal, named, text.substr(colon + 1));
    return signal;
  }
  if (std::optional<Signal> signal = file_signal(text)) return *std::move(signal);
  std::vector<std::string> names;
  for (const NamedSignal& named : named_signals) names.emplace_back(named.name());
  throw usage_error("no signal is called \"{}\"{}", text,
                    did_you_mean(name, names, Message("; `twiddle list signals` shows all")));
}

std::complex<double> sample_at(const Signal& signal, std::uint64_t j, std::uint64_t columns) {
  const double index = static_cast<double>(j);
  const double column = static_cast<double>(j % columns), length = static_cast<double>(columns);
  const auto revolution = [&] {
    const std::complex<double> root = unit_root(std::fmod(std::abs(signal.parameter) * column, length) / length);
    return signal.parameter < 0 ? std::conj(root) : root;
  };
  switch (signal.kind) {
    case Signal::Kind::Ramp: return index;
    case Signal::Kind::Impulse: return index == signal.parameter ? 1.0 : 0.0;
    case Signal::Kind::Constant: return signal.parameter;
    case Signal::Kind::Cosine: return revolution().real();
    case Signal::Kind::Sine: return revolution().imag();
    case Signal::Kind::Square: return 2 * std::fmod(column, signal.parameter) < signal.parameter ? 1.0 : -1.0;
    case Signal::Kind::Sawtooth: return std::fmod(index, signal.parameter);
    case Signal::Kind::Random: return {uniform(signal.seed, 2 * j), uniform(signal.seed, 2 * j + 1)};
    case Signal::Kind::Csv:
    case Signal::Kind::Wav:
    case Signal::Kind::Image: break;  // files are not generated
  }
  return 0;
}

void check_signal(const Signal& signal, std::uint64_t count) {
  if (signal.kind == Signal::Kind::Impulse && count > 0 && signal.parameter >= static_cast<double>(count))
    throw usage_error("impulse:{} is outside of {} samples: take 0 … {}", signal.parameter, count, count - 1);
}

Samples make_image(const Signal& signal, std::uint64_t rows, std::uint64_t columns, Message* note) {
  if (is_file(signal)) return fitted(read_signal_file(signal), signal, rows, columns, note);
  check_signal(signal, rows * columns);
  Samples samples;
  samples.width = columns;
  samples.height = rows;
  samples.values.resize(rows * columns);
  for (std::uint64_t j = 0; j < rows * columns; ++j) samples.values[j] = sample_at(signal, j, columns);
  return samples;
}

const std::vector<SignalKind>& signal_kinds() {
  static const std::vector<SignalKind> kinds = [] {
    std::vector<SignalKind> all;
    for (const NamedSignal& named : named_signals) all.push_back({named.form, named.meaning});
    for (const FileSignal& file : file_signals) all.push_back({file.form, file.meaning});
    return all;
  }();
  return kinds;
}

std::vector<std::string> signal_words() {
  std::vector<std::string> words;
  for (const NamedSignal& named : named_signals) words.emplace_back(named.name());
  return words;
}

}  // namespace twiddle
