#include "kernels/signal.h"

#include "base/error.h"
#include "kernels/catalogue.h"
#include "kernels/roots.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace twiddle {
namespace {

// What may follow the colon of a named signal.
enum class Takes { Nothing, Index, Number, Period, Seed };

struct NamedSignal {
  std::string_view name;
  Signal::Kind kind;
  Takes takes;
  double standard;
};

constexpr NamedSignal named_signals[] = {
    {"ramp", Signal::Kind::Ramp, Takes::Nothing, 0},         {"impulse", Signal::Kind::Impulse, Takes::Index, 0},
    {"constant", Signal::Kind::Constant, Takes::Number, 1},  {"cosine", Signal::Kind::Cosine, Takes::Number, 1},
    {"sine", Signal::Kind::Sine, Takes::Number, 1},          {"square", Signal::Kind::Square, Takes::Period, 8},
    {"sawtooth", Signal::Kind::Sawtooth, Takes::Period, 16}, {"random", Signal::Kind::Random, Takes::Seed, 1},
};

template <typename T>
bool read_number(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

// A counter-based generator: output i of stream `seed` is a hash of both (SplitMix64's finaliser, applied twice), so that
// every machine and every order of asking gives the same numbers.
std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

// k·2^−24 − 0.5 for a 24-bit k: exact in a float.
double uniform(std::uint64_t seed, std::uint64_t counter) {
  const std::uint64_t bits = mixed(mixed(seed + 0x9E3779B97F4A7C15u) + counter * 0x9E3779B97F4A7C15u);
  return static_cast<double>(bits >> 40) * 0x1p-24 - 0.5;
}

void read_parameter(Signal& signal, const NamedSignal& named, std::string_view text) {
  switch (named.takes) {
    case Takes::Nothing: throw usage_error("{} takes nothing after a colon, but \"{}\" stands there", named.name, text);
    case Takes::Seed:
      if (!read_number(text, signal.seed)) throw usage_error("random takes a seed from 0 on, not \"{}\"", text);
      return;
    case Takes::Index:
    case Takes::Period: {
      std::uint64_t whole = 0;
      const std::uint64_t least = named.takes == Takes::Period ? 1 : 0;
      if (!read_number(text, whole) || whole < least || whole > std::uint64_t(1) << 40)
        throw usage_error("{} takes a whole number from {} on, not \"{}\"", named.name, least, text);
      signal.parameter = static_cast<double>(whole);
      return;
    }
    case Takes::Number:
      if (!read_number(text, signal.parameter) || !std::isfinite(signal.parameter) || std::abs(signal.parameter) > 1e30)
        throw usage_error("{} takes a number, not \"{}\"", named.name, text);
      return;
  }
}

}  // namespace

Signal parse_signal(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  for (const NamedSignal& named : named_signals) {
    if (named.name != name) continue;
    Signal signal;
    signal.kind = named.kind;
    signal.parameter = named.standard;
    if (named.takes == Takes::Seed) signal.seed = static_cast<std::uint64_t>(named.standard);
    if (colon != std::string_view::npos) read_parameter(signal, named, text.substr(colon + 1));
    return signal;
  }
  std::vector<std::string> names;
  for (const NamedSignal& named : named_signals) names.emplace_back(named.name);
  const std::string near = nearest(name, names);
  throw usage_error("no signal is called \"{}\"{}", text,
                    near.empty() ? "; `twiddle list signals` shows all" : "; did you mean " + near + "?");
}

std::complex<double> sample_at(const Signal& signal, std::uint64_t j, std::uint64_t count) {
  const double index = static_cast<double>(j), length = static_cast<double>(count);
  const auto revolution = [&] { return unit_root(std::fmod(signal.parameter * index, length) / length); };
  switch (signal.kind) {
    case Signal::Kind::Ramp: return index;
    case Signal::Kind::Impulse: return index == signal.parameter ? 1.0 : 0.0;
    case Signal::Kind::Constant: return signal.parameter;
    case Signal::Kind::Cosine: return revolution().real();
    case Signal::Kind::Sine: return revolution().imag();
    case Signal::Kind::Square: return 2 * std::fmod(index, signal.parameter) < signal.parameter ? 1.0 : -1.0;
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
    throw usage_error("impulse:{} lies outside of {} samples: take 0 … {}", signal.parameter, count, count - 1);
}

Samples make_samples(const Signal& signal, std::uint64_t count, std::string*) {
  check_signal(signal, count);
  Samples samples;
  samples.width = count;
  samples.values.resize(count);
  for (std::uint64_t j = 0; j < count; ++j) samples.values[j] = sample_at(signal, j, count);
  return samples;
}

}  // namespace twiddle
