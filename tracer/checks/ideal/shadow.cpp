#include "tracer/checks/ideal/shadow.h"

#include "tracer/checks/complex_value.h"

#include <algorithm>
#include <cmath>

namespace twiddle {
namespace {

using Wide = std::complex<long double>;

Wide wide(const Value& value) { return Wide(complex_of(value)); }
double size_of_number(Wide z) { return static_cast<double>(std::abs(z)); }

bool finite(const Value& value) {
  const std::complex<double> z = complex_of(value);
  return std::isfinite(z.real()) && std::isfinite(z.imag());
}

ShadowPlace shadow_place(const TraceInfo& info, const Operation& op, const Access& access) {
  const LaunchInfo* launch = info.launch(op.launch);
  return {op.launch, op.stage, op.line, launch ? launch->source : -1, op.step, op.item, access.buffer, access.index};
}

// Keeps the first `max_listed` by an order.
template <typename T, typename Less>
void keep_best(std::vector<T>& list, T one, const Less& less) {
  const auto at = std::upper_bound(list.begin(), list.end(), one, less);
  if (at == list.end() && list.size() == ShadowReport::max_listed) return;
  list.insert(at, std::move(one));
  if (list.size() > ShadowReport::max_listed) list.pop_back();
}

}  // namespace

Shadow::Shadow(const TraceInfo& info) : info_(info), shared_(info), cells_(info) {
  if (traits(info.expect.transform).fourier) sign_ = info.expect.sign;
}

Shadow::Cell* Shadow::cell_of(const Operation& op, const Access& access) {
  const BufferInfo* buffer = info_.buffer(access.buffer);
  if (!buffer) return nullptr;
  if (traits(access.value.type).bytes != traits(buffer->type).bytes) return nullptr;  // seen as another type
  return cells_.find(access.buffer, group_of(op), access.index);
}

std::uint64_t Shadow::group_of(const Operation& op) const {
  const LaunchInfo* launch = info_.launch(op.launch);
  return launch ? op.item / std::max<std::uint64_t>(launch->group_size(), 1) : 0;
}

// The shadow of what was read, as far as it belongs to the value that was read.
Shadow::Number Shadow::value_of(const Operation& op, const Access& access) {
  const Cell* cell = cell_of(op, access);
  return cell && cell->known && cell->logged == access.value ? cell->shadow : wide(access.value);
}

// What is the same memory, seen as something else.
void Shadow::forget_others(const Operation& op, const Access& access) {
  shared_.for_each_other(access.buffer, access.index, [&](int buffer, std::uint64_t element) {
    if (Cell* cell = cells_.find(buffer, group_of(op), element)) cell->known = false;
  });
}

void Shadow::lost(const Operation& op, int write) {
  ++report_.not_followed;
  forget_others(op, op.writes[write]);
  if (Cell* cell = cell_of(op, op.writes[write])) cell->known = false;
}

// `plain`: of the values as they were logged. What that is far from, another operation was meant.
void Shadow::wrote(const Operation& op, int write, Number shadow, Number plain, double size) {
  const Access& access = op.writes[write];
  const Number logged = wide(access.value);
  Cell* cell = cell_of(op, access);
  const bool meant = access.known && finite(access.value) && std::isfinite(size) &&
                     traits(access.value.type).floating &&
                     size_of_number(plain - logged) <= value_tolerance(access.value.type) * size;
  if (!cell || !meant) return lost(op, write);
  cell->shadow = shadow;
  cell->logged = access.value;
  cell->known = true;
  forget_others(op, access);
  ++report_.followed;
  const double error = size_of_number(shadow - logged), magnitude_of = size_of_number(shadow);
  Stage& stage = stages_[{op.launch, op.stage}];
  stage.shown.launch = op.launch;
  stage.shown.stage = op.stage;
  ++stage.shown.values;
  stage.errors += error * error;
  stage.squares += magnitude_of * magnitude_of;
  if (error > stage.shown.largest) {
    stage.shown.largest = error;
    stage.shown.where = shadow_place(info_, op, access);
  }
  constexpr double worth_telling = 1e3;  // three digits
  const double ratio = magnitude_of > 0 ? size / magnitude_of : 0;
  if (ratio >= worth_telling && error > 0)
    keep_best(report_.cancelled, {shadow_place(info_, op, access), ratio, error / magnitude_of},
              [](const auto& a, const auto& b) { return a.relative_error > b.relative_error; });
}

void Shadow::moved(const Operation& op, int read, int write) {
  const Access &from = op.reads[read], &to = op.writes[write];
  if (!from.known || !(from.value == to.value)) return lost(op, write);
  const Number shadow = value_of(op, from);
  const double size = size_of_number(wide(from.value));
  wrote(op, write, shadow, wide(from.value), size);
}

void Shadow::legs(const Operation& op) {
  const Legs legs = legs_of(op.shape);
  if (!op.reads[0].known || op.coefficients.size() != legs.radix) {
    for (int w = 0; w < op.writes.size(); ++w) lost(op, w);
    return;
  }
  LegValues<long double> in, plain, factors;
  double size = 0, factor = 0;
  for (int q = 0; q < legs.radix; ++q) {
    in[q] = value_of(op, op.reads[q]);
    plain[q] = wide(op.reads[q].value);
    factors[q] = wide(op.coefficients[q]);
    size += size_of_number(plain[q]);
    factor = std::max(factor, size_of_number(factors[q]));
  }
  const LegValues<long double> shadow = transformed(legs, in, factors), made = transformed(legs, plain, factors);
  for (int p = 0; p < legs.radix; ++p) wrote(op, p, shadow[p], made[p], factor * size);
}

void Shadow::butterfly(const Operation& op) {
  if (legs_of(op.shape).radix > 0) return legs(op);
  const int radix = op.reads.size();
  const bool pack = op.shape == Shape::Pack;
  if (!op.reads[0].known || op.coefficients.size() != (pack ? 1 : radix - 1) || (radix != 2 && radix != 4)) {
    for (int w = 0; w < op.writes.size(); ++w) lost(op, w);
    return;
  }
  // What is made of the shadows, and of the logged values.
  const auto outputs = [&](auto value, int sign) {
    std::array<Number, 4> x, y;
    for (int q = 0; q < radix; ++q) x[static_cast<std::size_t>(q)] = value(op.reads[q]);
    if (pack) {
      const Number w = wide(op.coefficients[0]), b = std::conj(x[1]);
      const Number even = 0.5L * (x[0] + b), odd = w * (Number(0, -0.5L) * (x[0] - b));
      y[0] = even + odd, y[1] = even - odd;
      return y;
    }
    for (int q = 1; q < radix; ++q) x[static_cast<std::size_t>(q)] *= wide(op.coefficients[q - 1]);
    if (radix == 2) {
      y[0] = x[0] + x[1], y[1] = x[0] - x[1];
      return y;
    }
    const Number even = x[0] + x[2], odd = x[0] - x[2], sum = x[1] + x[3], difference = x[1] - x[3];
    const Number turned = Number(0, static_cast<long double>(sign)) * difference;
    y = {even + sum, odd + turned, even - sum, odd - turned};
    return y;
  };
  const auto logged = [](const Access& access) { return wide(access.value); };
  double size = 0;
  for (const Access& read : op.reads) size += size_of_number(wide(read.value));
  int sign = sign_;
  if (sign == 0 && radix == 4 && op.writes.size() == 4)
    sign = std::abs(wide(op.writes[1].value) - outputs(logged, -1)[1]) <=
                   std::abs(wide(op.writes[1].value) - outputs(logged, 1)[1])
               ? -1
               : 1;
  const auto shadow = outputs([&](const Access& access) { return value_of(op, access); }, sign);
  const auto plain = outputs(logged, sign);
  for (int w = 0; w < op.writes.size(); ++w)
    wrote(op, w, shadow[static_cast<std::size_t>(w)], plain[static_cast<std::size_t>(w)], size);
}

void Shadow::term(const Operation& op) {
  if (!op.reads[0].known) {
    chain_.open = false;
    return;
  }
  const bool goes_on = chain_.open && chain_.item == op.item && chain_.line == op.line;
  const Number part = wide(op.coefficients[0]) * value_of(op, op.reads[0]);
  chain_.sum = (goes_on ? chain_.sum : wide(op.coefficients[1])) + part;
  chain_.size = (goes_on ? chain_.size : size_of_number(wide(op.coefficients[1]))) + size_of_number(part);
  chain_.open = true;
  chain_.item = op.item;
  chain_.line = op.line;
}

std::optional<ShadowReport::Born> Births::operation(const TraceInfo& info, const Operation& op) {
  if (op.launch != launch_) {
    launch_ = op.launch;
    spoiled_.clear();
    reading_.clear();
  }
  for (const Access& read : op.reads)
    if (read.known && !finite(read.value)) spoiled_.insert(op.item);
  if (!op.reads.empty()) reading_.insert(op.item);
  for (const Access& write : op.writes) {
    if (!write.known || finite(write.value) || is_uninitialised(write.value.bytes())) continue;
    if (!spoiled_.insert(op.item).second) return std::nullopt;
    const std::complex<double> z = complex_of(write.value);
    const bool infinite = !std::isnan(z.real()) && !std::isnan(z.imag());
    // A maximum begins with an infinity: who has read nothing has made it of nothing.
    if (infinite && !reading_.contains(op.item)) return std::nullopt;
    return ShadowReport::Born{shadow_place(info, op, write), infinite};
  }
  return std::nullopt;
}

void Shadow::operation(const Operation& op) {
  if (op.kind == OperationKind::Barrier) return;
  if (op.launch != launch_) {
    launch_ = op.launch;
    cells_.forget_locals();
    chain_ = {};
  }
  if (const auto born = births_.operation(info_, op); born && report_.born.size() < ShadowReport::max_listed)
    report_.born.push_back(*born);
  switch (op.kind) {
    case OperationKind::Butterfly: butterfly(op); break;
    case OperationKind::Combine: {
      const Number a = value_of(op, op.reads[0]), b = value_of(op, op.reads[1]);
      const Number x = wide(op.reads[0].value), y = wide(op.reads[1].value);
      if (op.reads[0].known)
        wrote(op, 0, a + b, x + y, size_of_number(x) + size_of_number(y));
      else
        lost(op, 0);
      break;
    }
    case OperationKind::Scale: {
      const Number factor = wide(op.coefficients[0]), x = wide(op.reads[0].value);
      if (op.reads[0].known)
        wrote(op, 0, factor * value_of(op, op.reads[0]), factor * x, size_of_number(factor * x));
      else
        lost(op, 0);
      break;
    }
    case OperationKind::Move: moved(op, 0, 0); break;
    case OperationKind::Swap: {
      // Both are read before either is written.
      const Number a = value_of(op, op.reads[0]), b = value_of(op, op.reads[1]);
      const Number x = wide(op.reads[0].value), y = wide(op.reads[1].value);
      wrote(op, 0, b, y, size_of_number(y));
      wrote(op, 1, a, x, size_of_number(x));
      break;
    }
    case OperationKind::Term: term(op); break;
    case OperationKind::Store: {
      const bool ends = chain_.open && chain_.item == op.item;
      if (ends)
        wrote(op, 0, chain_.sum, chain_.sum, chain_.size);
      else
        lost(op, 0);
      chain_.open = false;
      break;
    }
    case OperationKind::Atomic:
      for (int w = 0; w < op.writes.size(); ++w) lost(op, w);
      break;
    case OperationKind::Barrier:
    case OperationKind::Load: break;
  }
}

ShadowReport Shadow::report() {
  ShadowReport report = report_;
  for (const auto& [place, stage] : stages_) {
    ShadowReport::Stage shown = stage.shown;
    shown.relative_l2 = stage.squares > 0 ? std::sqrt(stage.errors / stage.squares) : 0;
    report.stages.push_back(shown);
  }
  const int output = expected_buffers(info_).output;
  for (std::size_t b = 0; b < info_.buffers.size(); ++b) {
    const int number = static_cast<int>(b);
    if (is_local(info_.buffers[b]) || (info_.buffers[b].launch != 0 && !info_.buffers[b].is_pair())) continue;
    if (!info_.expect.output.empty() && number != output) continue;
    cells_.for_each(number, [&](std::uint64_t, std::uint64_t element, const Cell& cell) {
      if (!cell.known) return;
      keep_best(report.elements, {number, element, complex_of(cell.logged), std::complex<double>(cell.shadow)},
                [](const auto& x, const auto& y) { return x.error() > y.error(); });
    });
  }
  std::erase_if(report.elements, [](const auto& one) { return !(one.error() > 0); });
  return report;
}

ShadowReport shadow_of(Replay& replay, const std::function<bool(double)>& progress) {
  const TraceInfo& info = replay.info();
  Shadow shadow(info);
  Operation op;
  const double steps = static_cast<double>(std::max<std::uint64_t>(info.steps, 1));
  replay.for_each_block([&](const std::shared_ptr<const OperationBlock>& block) {
    for (std::uint32_t i = 0; i < block->count; ++i) {
      block->operation(info, i, op);
      shadow.operation(op);
    }
    return !progress || progress(static_cast<double>(block->first_step + block->count) / steps);
  });
  return shadow.report();
}

}  // namespace twiddle
