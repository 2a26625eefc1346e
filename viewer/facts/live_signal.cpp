#include "viewer/facts/live_signal.h"

#include "base/error.h"
#include "base/text.h"
#include "kernels/plan/expect.h"
#include "kernels/signal/signal.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace twiddle {
namespace {

std::uint64_t groups_of(const TraceInfo& info, int buffer) {
  std::uint64_t groups = 1;
  if (info.buffers[static_cast<std::size_t>(buffer)].space == Space::Local)
    for (const LaunchInfo& launch : info.launches) groups = std::max(groups, launch.groups());
  return groups;
}

bool same_plan(const TraceInfo& a, const TraceInfo& b) {
  return std::equal(a.buffers.begin(), a.buffers.end(), b.buffers.begin(), b.buffers.end(),
                    [](const BufferInfo& x, const BufferInfo& y) { return x.type == y.type && x.count == y.count; }) &&
         a.segments.size() == b.segments.size();
}

bool same_operation(const Operation& a, const Operation& b) {
  const auto same = [](const SmallList<Access, 4>& x, const SmallList<Access, 4>& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const Access& one, const Access& other) {
      return one.buffer == other.buffer && one.index == other.index && one.known == other.known &&
             (!one.known || one.value == other.value);
    });
  };
  return same(a.reads, b.reads) && same(a.writes, b.writes);
}

/// From −1 to 1, the same on every machine.
double noise(std::uint64_t j, std::uint64_t seed) {
  Signal signal;
  signal.kind = Signal::Kind::Random, signal.seed = seed;
  return 2 * sample_at(signal, j, 1).real();
}

}  // namespace

double LiveWave::sample(std::uint64_t j, std::uint64_t count) const {
  constexpr std::uint64_t noise_seed = 7, random_seed = 1;
  const double turns = values[Turns] * static_cast<double>(j) / static_cast<double>(std::max<std::uint64_t>(count, 1)) +
                       values[Phase] / 360;
  double height = 0;
  switch (shape) {
    case Shape::Cosine: height = std::cos(2 * std::numbers::pi * turns); break;
    case Shape::Square: height = turns - std::floor(turns) < 0.5 ? 1 : -1; break;
    case Shape::Impulse: height = static_cast<double>(j) == std::round(values[Turns]) ? 1 : 0; break;
    case Shape::Ramp: height = turns - std::floor(turns); break;
    case Shape::Random: height = noise(j, random_seed); break;
  }
  const double level = values[Noise] == 0 ? 0 : values[Noise] * noise(j, noise_seed);
  return values[Amplitude] * height + level;
}

SliderRange slider_range(LiveWave::Slider slider, std::uint64_t count, bool floating) {
  switch (slider) {
    case LiveWave::Turns: return {0, std::max(1.0, std::floor(static_cast<double>(count) / 2)), 0.25};
    case LiveWave::Phase: return {-180, 180, 5};
    case LiveWave::Amplitude: return floating ? SliderRange{0, 2, 0.05} : SliderRange{0, 100, 1};
    case LiveWave::Noise: return floating ? SliderRange{0, 1, 0.05} : SliderRange{0, 50, 1};
  }
  return {};
}

LiveWave wave_of(const std::string& signal) {
  LiveWave wave;
  try {
    const Signal parsed = parse_signal(signal);
    if (parsed.kind != Signal::Kind::Cosine && parsed.kind != Signal::Kind::Sine) return wave;
    wave.values = {parsed.parameter, parsed.kind == Signal::Kind::Sine ? -90.0 : 0.0, 1, 0};
  } catch (const Error&) {}  // of a trace from elsewhere
  return wave;
}

Changes::Changes(Document& before, Document& now) {
  const TraceInfo &a = before.info(), &b = now.info();
  if (!same_plan(a, b) || std::max(a.steps, b.steps) > max_steps) return;
  states_.resize(b.segments.size() + 1);
  for (std::size_t s = 0; s < states_.size(); ++s) {
    const int segment = static_cast<int>(s) - 1;
    const auto old_state = before.replay->state_after(segment), new_state = now.replay->state_after(segment);
    for (std::size_t n = 0; n < b.buffers.size(); ++n) {
      const BufferInfo& of = b.buffers[n];
      if (of.count > max_elements || of.space == Space::Private) continue;
      const int buffer = static_cast<int>(n);
      const std::size_t size = traits(of.type).bytes;
      const std::uint64_t groups = groups_of(b, buffer);
      std::vector<std::byte> x(size), y(size);
      std::vector<bool> changed(static_cast<std::size_t>(of.count * groups));
      bool any = false;
      for (std::uint64_t group = 0; group < groups; ++group)
        for (std::uint64_t i = 0; i < of.count; ++i) {
          const bool had = old_state->read(buffer, group, i, x), has = new_state->read(buffer, group, i, y);
          if (had != has || (has && x != y)) changed[static_cast<std::size_t>(group * of.count + i)] = any = true;
        }
      if (any) states_[s][buffer] = std::move(changed);
    }
  }
  steps_.resize(static_cast<std::size_t>(b.steps) + 1);
  for (std::uint64_t step = 1; step <= b.steps; ++step) {
    steps_[step] = step > a.steps || !same_operation(before.replay->operation(step), now.replay->operation(step));
    if (steps_[step]) ++changed_steps_;
  }
}

bool Changes::element(int buffer, std::uint64_t index, int segment) const {
  const auto at = static_cast<std::size_t>(segment + 1);
  if (at >= states_.size()) return false;
  const auto found = states_[at].find(buffer);
  return found != states_[at].end() && index < found->second.size() && found->second[static_cast<std::size_t>(index)];
}

std::uint64_t Changes::count(int buffer, int segment) const {
  const auto at = static_cast<std::size_t>(segment + 1);
  if (at >= states_.size()) return 0;
  const auto found = states_[at].find(buffer);
  if (found == states_[at].end()) return 0;
  return static_cast<std::uint64_t>(std::count(found->second.begin(), found->second.end(), true));
}

int live_buffer(const TraceInfo& info) {
  const int buffer = info.buffer_named(info.expect.input);
  if (buffer < 0) return -1;
  const BufferInfo& of = info.buffers[static_cast<std::size_t>(buffer)];
  if (traits(info.expect.transform).plane && (of.shape.size() != 2 || of.shape[0] * of.shape[1] != of.count)) return -1;
  const bool numbers = of.space == Space::Global && traits(of.type).components <= 2;
  return numbers && of.count > 1 && of.count <= LiveSignal::max_samples ? buffer : -1;
}

std::uint64_t live_width(const TraceInfo& info) {
  const int buffer = live_buffer(info);
  if (buffer < 0) return 0;
  const BufferInfo& of = info.buffers[static_cast<std::size_t>(buffer)];
  return traits(info.expect.transform).plane ? of.shape[1] : of.count;
}

double sample_rate_of(const TraceInfo& info) {
  const auto found = info.parameters.find("sample-rate");
  const double rate = found == info.parameters.end() ? 0 : number_in<double>(found->second).value_or(0);
  return std::isfinite(rate) && rate > 0 ? rate : 0;
}

std::vector<std::complex<double>> numbers_in_state(const TraceInfo& info, const State& state, int buffer) {
  const BufferInfo& of = info.buffers[static_cast<std::size_t>(buffer)];
  std::vector<std::complex<double>> numbers(static_cast<std::size_t>(of.count));
  const std::vector<std::byte> bytes = state.bytes(buffer);
  const std::size_t size = traits(of.type).bytes;
  for (std::size_t i = 0; i < numbers.size() && (i + 1) * size <= bytes.size(); ++i) {
    const std::byte* element = bytes.data() + i * size;
    numbers[i] = {component(of.type, element, 0), traits(of.type).components > 1 ? component(of.type, element, 1) : 0};
  }
  return numbers;
}

std::vector<std::complex<double>> numbers_of(Document& document, int buffer, int segment) {
  return numbers_in_state(document.info(), *document.replay->state_after(segment), buffer);
}

std::vector<std::complex<double>> samples_at_hand(Document& document, const LiveSignal* live) {
  if (live && !live->samples.empty()) return live->samples;
  struct Kept {
    std::vector<std::complex<double>> samples;
  };
  auto& kept = document.kept<Kept>().samples;
  const int buffer = live_buffer(document.info());
  if (kept.empty() && buffer >= 0) kept = numbers_of(document, buffer, -1);
  return kept;
}

LiveAxis live_axis(const std::vector<std::complex<double>>& samples, const LiveSignal* live) {
  if (live && live->goal.asked()) return {live->goal.low, live->goal.high};
  if (live && live->low < live->high) return {live->low, live->high};
  double low = 0, high = 0;
  for (const std::complex<double>& sample : samples) {
    if (!std::isfinite(sample.real())) continue;
    low = std::min(low, sample.real()), high = std::max(high, sample.real());
  }
  // Room to drag to: a quarter more on either side, and at least from −1 to 1.
  const double room = 0.25 * std::max(high - low, 1.0);
  return {std::min(-1.0, low - (low < 0 ? room : 0)), std::max(1.0, high + (high > 0 ? room : 0))};
}

Mark sample_mark(int buffer, std::uint64_t sample) {
  Mark mark = element_mark(buffer, -1, sample);
  mark.command = sample_command;
  return mark;
}

bool is_sample(const Mark& mark) { return mark.kind == MarkKind::Element && mark.command == sample_command; }

}  // namespace twiddle
