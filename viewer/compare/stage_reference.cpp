#include "viewer/compare/stage_reference.h"

#include "tracer/checks/complex_value.h"
#include "tracer/checks/ideal/transform_parts.h"
#include "tracer/replay/replay.h"
#include "tracer/trace/memory/pairs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <optional>

namespace twiddle {
namespace {

constexpr std::uint64_t max_points = std::uint64_t(1) << 16;
constexpr double roundings = 64;  // a stage: what quick twiddles and sums of another order leave

using Complex = std::complex<double>;

/// [l][line·N + o + j·N/2^l]: bin j of the transform of 2^l points x[o], x[o + N/2^l], … of a line of N points.
std::vector<std::vector<Complex>> partial_transforms(std::vector<Complex> input, std::size_t n, int sign) {
  const int bits = std::bit_width(n) - 1;
  std::vector<std::vector<Complex>> all{std::move(input)};
  for (int l = 1; l <= bits; ++l) {
    const std::size_t offsets = n >> l, half = std::size_t(1) << (l - 1);
    const std::vector<Complex>& shorter = all.back();
    std::vector<Complex> longer(shorter.size());
    for (std::size_t j = 0; j < half; ++j) {
      const Complex w = root_of_unity(j, 2 * half, sign);
      for (std::size_t line = 0; line < shorter.size(); line += n)
        for (std::size_t o = line; o < line + offsets; ++o) {
          const Complex a = shorter[o + j * 2 * offsets], b = w * shorter[o + offsets + j * 2 * offsets];
          longer[o + j * offsets] = a + b;
          longer[o + (j + half) * offsets] = a - b;
        }
    }
    all.push_back(std::move(longer));
  }
  return all;
}

double spacing(ElementType type) {
  if (type == ElementType::Half || traits(type).scalar == ElementType::Half) return 0x1p-11;
  return traits(type).wide ? 0x1p-53 : 0x1p-24;
}

struct Order {
  Layout layout = Layout::Blocks;
  int log_radix = 1;
};
constexpr std::array<Order, 4> orders = {
    Order{Layout::Blocks, 1}, {Layout::Stockham, 1}, {Layout::Blocks, 2}, {Layout::Stockham, 2}};

/// Why a trace's stages have no reference; empty: they may have one.
Message why_not(const TraceInfo& info, const std::optional<Axes>& axes) {
  if (!traits(info.expect.transform).fourier || traits(info.expect.transform).plane)
    return Message("there is no reference for the stages of what this computes, but for its outcome");
  if (!axes || axes->real() || axes->points() < 2)
    return Message("the stages have a reference where complex points are a power of two");
  if (axes->points() * axes->lines() > max_points)
    return Message("the stages of more than {} points are not compared", max_points);
  return {};
}

}  // namespace

StageComparison compare_stages(const std::shared_ptr<const TraceSource>& trace, const std::atomic<bool>& stop) {
  const TraceInfo& info = trace->info();
  StageComparison found;
  found.compared.resize(info.segments.size());
  const std::optional<Axes> axes = Axes::of(info);
  if (Message why = why_not(info, axes); !why.empty()) {
    found.not_compared.push_back(std::move(why));
    return found;
  }
  const int in = expected_buffers(info).input;
  const ElementType type = info.buffers[static_cast<std::size_t>(in)].type;
  const std::vector<std::byte> bytes = trace->first_content(in);
  std::vector<Complex> input(info.buffers[static_cast<std::size_t>(in)].count);
  for (std::size_t i = 0; i < input.size() && (i + 1) * traits(type).bytes <= bytes.size(); ++i) {
    const std::byte* element = bytes.data() + i * traits(type).bytes;
    input[i] = {component(type, element, 0), component(type, element, 1)};
  }
  const std::uint64_t n = axes->points(), lines = axes->lines();
  const int bits = std::bit_width(n) - 1;
  const std::vector<std::vector<Complex>> partial = partial_transforms(std::move(input), n, info.expect.sign);
  std::vector<double> near;
  for (std::size_t l = 0; l < partial.size(); ++l) {
    double largest = 0;
    for (const Complex& x : partial[l])
      if (std::isfinite(std::abs(x))) largest = std::max(largest, std::abs(x));
    near.push_back(roundings * static_cast<double>(l + 1) * spacing(type) * largest);
  }
  // The place of an element in the lines of whole arrays; nothing of what is no such array.
  const auto place_of = [&](const Operation& op, const Access& write) -> std::optional<std::uint64_t> {
    const BufferInfo* buffer = info.buffer(write.buffer);
    const LaunchInfo* launch = info.launch(op.launch);
    if (!buffer || !launch || !write.known || traits(buffer->type).components != 2) return {};
    if (buffer->space == Space::Global) return buffer->count == n * lines ? std::optional(write.index) : std::nullopt;
    if (buffer->space != Space::Local || buffer->count != n || launch->groups() != lines) return {};
    return launch->group_of(op.item) * n + write.index;
  };
  const auto differs = [&](const Order& order, int l, const Access& write, std::uint64_t at) {
    const UsualPlace place = usual_place(order.layout, static_cast<std::uint32_t>(at % n), bits, l, order.log_radix);
    const Complex wanted = partial[static_cast<std::size_t>(l)][at / n * n + place.offset + place.bin * (n >> l)];
    return !(std::abs(complex_of(write.value) - wanted) <= near[static_cast<std::size_t>(l)]);
  };
  // What an operation's values are compared with: transforms of 2^l points; −1: nothing.
  const auto length_of = [&](const Operation& op, int segment) -> int {
    const std::uint64_t span = info.segments[static_cast<std::size_t>(segment)].span;
    if (op.kind != OperationKind::Butterfly || !std::has_single_bit(span) || span > n || span < 2) return -1;
    for (const Access& write : op.writes)
      if (!place_of(op, write)) return -1;
    return static_cast<int>(std::bit_width(span)) - 1;
  };
  const auto is_of = [&](const Order& order, const Operation& op, int l) {
    return op.reads.size() == 1 << order.log_radix && l % order.log_radix == 0;
  };

  Replay replay(trace->another());
  // The order that the first stage's results are in, by most of them: a mistake there leaves others right.
  std::optional<Order> order;
  for (std::size_t s = 0; s < info.segments.size() && !order && !stop; ++s) {
    const Segment& segment = info.segments[s];
    std::uint64_t values = 0;
    std::array<std::uint64_t, orders.size()> right{};
    replay.for_each(segment.first_step, segment.end_step() - 1, false, [&](const Operation& op) {
      const int l = length_of(op, static_cast<int>(s));
      if (l < 0) return !stop;
      for (const Access& write : op.writes) {
        ++values;
        for (std::size_t o = 0; o < orders.size(); ++o)
          if (is_of(orders[o], op, l) && !differs(orders[o], l, write, *place_of(op, write))) ++right[o];
      }
      return !stop;
    });
    if (values == 0) continue;
    const auto best = std::max_element(right.begin(), right.end());
    // Decimation in frequency turns after its sums, and has five of eight right there.
    if (8 * *best < 7 * values) break;
    order = orders[static_cast<std::size_t>(best - right.begin())];
  }
  if (stop) return found;
  if (!order) {
    found.not_compared.push_back(
        Message("the stages leave their results in no order that is known: only the outcome is compared"));
    return found;
  }
  // Behind butterflies of another radix, or of other arrays, the order is another one.
  std::uint64_t left_out = 0;
  for (std::size_t s = 0; s < info.segments.size() && !stop; ++s) {
    const Segment& segment = info.segments[s];
    if (segment.kind != OperationKind::Butterfly || segment.count == 0) continue;
    if (left_out > 0) {
      ++left_out;
      continue;
    }
    StageParting parting{static_cast<int>(s), 0, 0};
    bool all = true;
    replay.for_each(segment.first_step, segment.end_step() - 1, false, [&](const Operation& op) {
      if (op.kind != OperationKind::Butterfly) return !stop;
      const int l = length_of(op, static_cast<int>(s));
      if (l < 0 || !is_of(*order, op, l)) return all = false;
      for (const Access& write : op.writes) {
        if (!differs(*order, l, write, *place_of(op, write))) continue;
        if (parting.operations++ == 0) parting.step = op.step;
        break;
      }
      return !stop;
    });
    found.compared[s] = all;
    left_out += !all;
    if (all && parting.operations > 0) found.stages.push_back(parting);
  }
  if (left_out > 0)
    found.not_compared.push_back(Message::plural(left_out, "{} stage of butterflies has no reference",
                                                 "{} stages of butterflies have no reference", left_out));
  return found;
}

}  // namespace twiddle
