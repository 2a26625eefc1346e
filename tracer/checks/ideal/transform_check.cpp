#include "tracer/checks/ideal/transform_check.h"
#include "tracer/trace/item_words.h"

#include "base/message.h"

#include <cmath>

namespace twiddle {

using Complex = std::complex<double>;

void TransformCheck::operation(const Operation& op, Findings& findings) {
  switch (op.kind) {
    case OperationKind::Butterfly:
      if (legs_of(op.shape).radix > 0)
        for (const Access& write : op.writes) set_part(op, write, {});
      else if (op.shape == Shape::Pack)
        unpack(op, findings);
      else
        butterfly(op, findings);
      break;
    case OperationKind::Swap: swap(op, findings); break;
    case OperationKind::Move: set_part(op, op.writes[0], part_of(op, op.reads[0])); break;
    case OperationKind::Scale: scale(op); break;
    case OperationKind::Load: load(op); break;
    case OperationKind::Store: store(op, findings); break;
    case OperationKind::Barrier:
    case OperationKind::Term: break;
    case OperationKind::Combine:
    case OperationKind::Atomic:
      for (const Access& write : op.writes) set_part(op, write, {});
  }
}

void TransformCheck::end_launch(const LaunchInfo& launch, Findings&) {
  // What was written without a trace line stands for nothing that is known.
  if (info_.detail == Detail::Index) return;
  trace_.for_each_patch(launch.number, [&](const TraceSource::Patch& patch) {
    for (const std::uint32_t element : patch.elements) {
      if (Entry* entry = parts_.find(patch.buffer, 0, element)) *entry = {{}, unlogged};
      forget_others(patch.buffer, 0, element);
    }
  });
}

void TransformCheck::report(Findings& findings, FindingClass kind, const Operation& op, const Access& access,
                            Message message, Message advice, const std::optional<Ideal>& ideal) {
  Finding finding = finding_at(kind, info_, op, access, std::move(message), std::move(advice));
  finding.ideal = ideal;
  findings.add(std::move(finding));
}

void TransformCheck::swap(const Operation& op, Findings& findings) {
  const auto [low, high] = std::minmax(op.reads[0].index, op.reads[1].index);
  if (low != high && !swapped_.insert((low << 32) | high).second) {
    // The meaning stays as if it had been swapped once, so that what follows is judged by what was meant.
    if (!findings.count_repeat(place_of(FindingClass::DuplicateOperation, op, op.reads[0]), op.item))
      report(findings, FindingClass::DuplicateOperation, op, op.reads[0],
             Message("{} swaps {} and {} once more: another {} of this launch has done it, so that the two swaps undo "
                     "each other",
                     item_name(info_, op.item), element_text(info_, op.reads[0]), element_text(info_, op.reads[1]),
                     item_noun(info_)),
             Message("Let only one of the pair swap: guard it with g < rev(g)."));
    return;
  }
  const TransformPart a = part_of(op, op.reads[0]), b = part_of(op, op.reads[1]);
  set_part(op, op.writes[0], b);
  set_part(op, op.writes[1], a);
}

/// A factor leaves what an element stands for, but for a root of unity, which turns it: what takes blocks apart (decimation
/// in frequency) multiplies by its twiddle after the butterfly.
void TransformCheck::scale(const Operation& op) {
  TransformPart part = part_of(op, op.reads[0]);
  const Value& coefficient = op.coefficients[0];
  const Complex factor = complex_of(coefficient);
  const double tolerance = 2 * twiddle_tolerance(coefficient.type);
  const bool root_like = std::abs(magnitude(factor) - 1) <= tolerance;  // −1 too, which is real
  if (traits(coefficient.type).components == 2 && (root_like || factor.imag() != 0)) {
    const std::uint64_t points = axes_.points();
    const std::uint64_t turn = nearest_root(factor, points, info_.expect.sign);
    const Complex root = root_of_unity(turn, points, info_.expect.sign);
    if (axes_.plane() || part.kind != TransformPart::Kind::Plain || magnitude(factor - root) > tolerance)
      part = {};
    else
      part.turn = static_cast<std::uint32_t>((part.turn + turn) % points);
  }
  set_part(op, op.writes[0], part);
}

void TransformCheck::load(const Operation& op) {
  if (!axes_.real() || op.reads[0].buffer != axes_.input()) return;
  if (loaded_.item != op.item) loaded_ = {op.item, 0, {}};
  loaded_.from[0] = loaded_.from[1];
  loaded_.from[1] = op.reads[0];
  ++loaded_.count;
}

void TransformCheck::store(const Operation& op, Findings& findings) {
  const Access& to = op.writes[0];
  TransformPart part;
  if (axes_.real() && loaded_.item == op.item && traits(to.value.type).components == 2) {
    if (loaded_.count == 1) {
      const bool itself =
          !to.known || (to.value.component(0) == loaded_.from[1].value.component(0) && to.value.component(1) == 0);
      if (itself) part = axes_.point(loaded_.from[1].index, TransformPart::Kind::Plain);
    } else if (loaded_.count == 2) {
      part = packed(op, findings);
    }
  }
  set_part(op, to, part);
  loaded_ = {};
}

TransformPart TransformCheck::packed(const Operation& op, Findings& findings) {
  const Access& to = op.writes[0];
  const Access* even = &loaded_.from[0];
  const Access* odd = &loaded_.from[1];
  if (even->index % 2 == 1) std::swap(even, odd);
  if (even->index % 2 != 0 || odd->index != even->index + 1) {
    if (!findings.count_repeat(place_of(FindingClass::WrongPartner, op, to), op.item))
      report(findings, FindingClass::WrongPartner, op, to,
             Message("{} packs {} and {} into {}, which are no pair of an even point and the one after it",
                     item_name(info_, op.item), element_text(info_, loaded_.from[0]),
                     element_text(info_, loaded_.from[1]), element_text(info_, to)),
             Message("Element j of the packed transform is x[2j] + i·x[2j+1]."));
    return {};
  }
  const TransformPart part = axes_.point(even->index / 2, TransformPart::Kind::Packed);
  // Without values the order of the two loads has to do.
  const auto is = [&](int component, const Access& from) {
    return to.value.component(component) == from.value.component(0);
  };
  const bool right = to.known ? is(0, *even) && is(1, *odd) : even == loaded_.from.data();
  const bool turned = to.known ? is(0, *odd) && is(1, *even) : !right;
  if (right || !turned) return part;  // something else again: the arithmetic is another check's
  if (!findings.count_repeat(place_of(FindingClass::WrongValue, op, to), op.item))
    report(
        findings, FindingClass::WrongValue, op, to,
        Message(
            "{} leaves {} + i·{} in {}: the even point belongs in the real part and the odd one in the imaginary part",
            item_name(info_, op.item), element_text(info_, *odd), element_text(info_, *even), element_text(info_, to)),
        Message("Pack x[2j] + i·x[2j+1]: even points are the real parts."));
  return {};
}

void TransformCheck::unpack(const Operation& op, Findings& findings) {
  const TransformPart a = part_of(op, op.reads[0]), b = part_of(op, op.reads[1]);
  std::array<TransformPart, 2> results{};
  if (a.kind == TransformPart::Kind::Packed && b.kind == TransformPart::Kind::Packed) {
    const std::uint32_t half = std::uint32_t(1) << axes_.bits(a, 1), rows = std::uint32_t(axes_.lines());
    const std::uint32_t k = axes_.bin(a, 1), row = axes_.along(a, 0);
    const bool whole = a.lengths[1] == axes_.bits(a, 1) && a.lengths[0] == b.lengths[0] && b.lengths[1] == a.lengths[1];
    const bool pair =
        axes_.bin(b, 1) == (half - k) % half && axes_.along(b, 0) == (axes_.plane() ? (rows - row) % rows : row);
    if (whole && pair) {
      twiddle(op, 0, k, 2 * std::uint64_t(half), op.reads[1], findings);
      const int log = axes_.bits(a, 1) + 1;
      results[0] = results[1] = a;
      for (std::uint32_t p = 0; p < 2; ++p) {
        results[p].kind = TransformPart::Kind::Plain;
        results[p] = axes_.with(results[p], 1, 0, log, k + p * half);
      }
    } else if (!findings.count_repeat(place_of(FindingClass::WrongPartner, op, op.reads[1]), op.item)) {
      report(findings, FindingClass::WrongPartner, op, op.reads[1],
             Message("{} splits bin {} with {}, which holds {}; it takes bin {}", item_name(info_, op.item), k,
                     element_text(info_, op.reads[1]), axes_.text(info_, b, 1), (half - k) % half),
             Message("Bins k and (N/2 − k) mod N/2 of the packed transform belong together."));
    }
  }
  for (int p = 0; p < op.writes.size(); ++p) set_part(op, op.writes[p], results[p]);
}

void TransformCheck::butterfly(const Operation& op, Findings& findings) {
  const int radix = op.reads.size(), log_radix = radix == 4 ? 2 : 1;
  std::array<TransformPart, 4> parts;
  bool known = true;
  for (int q = 0; q < radix; ++q) {
    parts[q] = part_of(op, op.reads[q]);
    known = known && parts[q].kind != TransformPart::Kind::Unknown;
  }
  const TransformPart first = parts[0];
  const int axis = known ? axis_of(parts, radix) : -1;
  const bool fits = known && fit(parts, radix, axis);
  if (known && !fits) report_mismatch(op, parts, axis, findings);
  if (fits) suspect_repeat(op);
  std::array<TransformPart, 4> results{};
  if (fits) {
    const int log = first.lengths[axis] + log_radix;
    const std::uint32_t length = axes_.length(first, axis), bin = axes_.bin(first, axis);
    for (int q = 1; q <= op.coefficients.size(); ++q) {
      const Access& access = op.reads[std::min(q, radix - 1)];
      std::uint64_t exponent = static_cast<std::uint64_t>(q) * bin, order = std::uint64_t(1) << log;
      if (const std::uint32_t turn = parts[std::min(q, radix - 1)].turn; turn != first.turn) {
        const std::uint64_t points = axes_.points();
        exponent = (exponent * (points / order) + first.turn + points - turn) % points;
        order = points;
      }
      if (!twiddle(op, q - 1, exponent, order, access, findings)) break;
    }
    for (int p = 0; p < radix; ++p)
      results[p] =
          axes_.with(first, axis, axes_.offset(first, axis), log, bin + static_cast<std::uint32_t>(p) * length);
    made_by(op, axis, log);
  }
  for (int p = 0; p < op.writes.size(); ++p) set_part(op, op.writes[p], results[p]);
}

int TransformCheck::axis_of(const std::array<TransformPart, 4>& parts, int radix) const {
  bool same[2] = {true, true};
  for (int q = 1; q < radix; ++q)
    for (int axis = 0; axis < 2; ++axis)
      same[axis] = same[axis] && axes_.along(parts[q], axis) == axes_.along(parts[0], axis) &&
                   parts[q].lengths[axis] == parts[0].lengths[axis];
  if (same[0]) return 1;
  return same[1] && axes_.merges(0) ? 0 : -1;
}

bool TransformCheck::fit(const std::array<TransformPart, 4>& parts, int radix, int axis) const {
  if (axis < 0) return false;
  const TransformPart& first = parts[0];
  const std::uint32_t distance = apart(first, axis, radix == 4 ? 2 : 1);
  if (distance == 0) return false;
  for (int q = 1; q < radix; ++q) {
    const TransformPart& other = parts[q];
    if (other.kind != first.kind || other.lengths[0] != first.lengths[0] || other.lengths[1] != first.lengths[1] ||
        axes_.bin(other, axis) != axes_.bin(first, axis) ||
        axes_.offset(other, axis) != axes_.offset(first, axis) + static_cast<std::uint32_t>(q) * distance)
      return false;
  }
  return true;
}

bool TransformCheck::twiddle(const Operation& op, int which, std::uint64_t exponent, std::uint64_t length,
                             const Access& access, Findings& findings) {
  const Value& coefficient = op.coefficients[which];
  const Complex logged = complex_of(coefficient);
  const Complex wanted = root_of_unity(exponent, length, info_.expect.sign);
  const double tolerance = twiddle_tolerance(coefficient.type);
  if (magnitude(logged - wanted) <= tolerance || may_be(op, logged, wanted, access)) return true;
  if (findings.count_repeat(place_of(FindingClass::WrongTwiddle, op, access), op.item)) return false;
  const auto is = [&](Complex other) { return magnitude(logged - other) <= tolerance; };
  Message cause;
  Message advice = Message("Compute w_L^j from j = g mod (L/2) and this stage's span L.");
  if (is(std::conj(wanted))) {
    cause = Message("it is the conjugate, so the sign of the exponent is wrong");
    advice = info_.expect.sign < 0 ? Message("The forward transform takes e^(−2πi…).")
                                   : Message("The inverse transform takes e^(+2πi…).");
  } else if (length > 2 && is(root_of_unity(exponent, length / 2, info_.expect.sign))) {
    cause = Message("it is that of the stage before, of span {}", length / 2);
  } else if (is(root_of_unity(exponent, length * 2, info_.expect.sign))) {
    cause = Message("it is that of the next stage, of span {}", length * 2);
  } else if (std::abs(std::abs(logged) - 1) < 1e-3 && std::abs(logged - wanted) < 0.05) {
    cause = Message("it is off by {:.1e}, because the angle was rounded: it comes from an index that was not reduced",
                    std::abs(logged - wanted));
    advice = Message("Reduce the index in integers (j = g mod (L/2)) before it becomes an angle.");
  } else {
    // The exponent whose root it is, if it is one.
    const std::uint64_t other = nearest_root(logged, length, info_.expect.sign);
    const auto [order, exponent_there] = root_of_larger_order(logged, length, tolerance);
    cause = is(root_of_unity(other, length, info_.expect.sign))
                ? Message("it is w_{}^{}, so the exponent is wrong", length, other)
            : order > 0 ? Message("it is w_{}^{}, a root of another order", order, exponent_there)
                        : Message("it is no root of unity of order {}", length);
  }
  const Compared compared = compared_texts(logged, wanted, coefficient.type);
  report(findings, FindingClass::WrongTwiddle, op, access,
         Message("{} multiplies {} by {} where w_{}^{} = {} belongs: {}", item_name(info_, op.item),
                 element_text(info_, access), compared.is, length, exponent, compared.wanted, cause),
         advice, Ideal{{}, wanted, {}});
  return false;
}

bool TransformCheck::may_be(const Operation& op, Complex logged, Complex wanted, const Access& access) const {
  if (!launch_->accesses.lifted || !access.known) return false;
  double size = 0;
  for (const Access& read : op.reads) size += magnitude(complex_of(read.value));
  const double turned = op.shape == Shape::Pack
                            ? magnitude(complex_of(op.reads[0].value) - std::conj(complex_of(op.reads[1].value)))
                            : magnitude(complex_of(access.value));
  return magnitude(logged - wanted) * turned <= 2 * value_tolerance(access.value.type) * size;
}

std::pair<std::uint64_t, std::uint64_t> TransformCheck::root_of_larger_order(Complex factor, std::uint64_t length,
                                                                             double tolerance) const {
  // Of an order whose roots are hardly apart any factor would be one.
  for (std::uint64_t order = 2 * length; order <= axes_.points() && 2 * M_PI / double(order) > 16 * tolerance;
       order *= 2) {
    const std::uint64_t exponent = nearest_root(factor, order, info_.expect.sign);
    if (magnitude(factor - root_of_unity(exponent, order, info_.expect.sign)) <= tolerance) return {order, exponent};
  }
  return {0, 0};
}

void TransformCheck::end(Findings& findings) {
  if (!findings.any_errors() && info_.complete && !info_.launches.empty()) judge_output(findings);
  if (findings.any_errors())
    for (Finding& finding : suspected_.take()) findings.add(std::move(finding));
}

/// When nothing else was found on the way, every element of the output must stand for its bin.
void TransformCheck::judge_output(Findings& findings) {
  const BufferInfo& output = info_.buffers[axes_.output()];
  const LaunchInfo& last = info_.launches.back();
  for (std::uint64_t i = 0; i < output.count; ++i) {
    const Entry* entry = parts_.find(axes_.output(), 0, i);
    const TransformPart part = entry ? meaning(*entry, axes_.output(), i) : TransformPart{};
    const TransformPart wanted = axes_.result(i);
    if (part.kind == TransformPart::Kind::Unknown || part == wanted) continue;
    const bool along_rows = part.lengths[1] != wanted.lengths[1] || part.lengths[0] == wanted.lengths[0];
    const int axis = along_rows ? 1 : 0;
    const bool unfinished = part.kind == TransformPart::Kind::Packed || part.lengths[axis] != wanted.lengths[axis];
    const bool turned = !unfinished && part.place == wanted.place && part.turn != 0;
    Finding finding = finding_of(unfinished ? FindingClass::MissingOperation
                                 : turned   ? FindingClass::WrongTwiddle
                                            : FindingClass::WrongPartner,
                                 last);
    finding.step = info_.steps;
    finding.buffer = axes_.output();
    finding.element = i;
    if (unfinished && part.kind == TransformPart::Kind::Plain &&
        nothing_made(axis)) {  // along this axis not even the first stage
      if (axis == 1) finding.launch = info_.launches.front().number;
      finding.stage = part.lengths[axis] + 1;
    }
    if (findings.count_repeat(Findings::place_of(finding), 0)) continue;
    finding.items.clear();
    finding.message = Message("{}[{}] ends as {}", output.name, i, axes_.text(info_, part, axis));
    if (part.kind == TransformPart::Kind::Packed && part.lengths[1] == axes_.bits(part, 1)) {
      finding.message += Message(": the packed transform was never split");
      finding.advice = Message("Make X(k) and X(k + N/2) from bins k and N/2 − k of the packed transform.");
    } else if (unfinished) {
      finding.message += Message(": the stage of span {} is missing", 2 * axes_.length(part, axis));
      finding.advice = Message("Let the last stage's span be N: log2 N stages in all.");
    } else if (turned) {
      finding.message += Message(" times w_{}^{}", axes_.points(), part.turn);
      finding.advice = Message("Turn the differences of a block of L points by w_L^j, each once.");
    } else {
      finding.message += Message(", where bin {} belongs: the results are in another order", axes_.bin(wanted, axis));
      finding.advice =
          Message("Reorder the input before the first stage or the results after the last, not both and not neither.");
    }
    findings.add(std::move(finding));
  }
}

/// Filters leave holes that nothing can be followed through.
std::unique_ptr<Check> make_transform_check(const TraceSource& trace) {
  const std::optional<Axes> axes = Axes::of(trace.info());
  if (!axes || !trace.info().filter.empty()) return nullptr;
  return std::make_unique<TransformCheck>(trace, *axes);
}

}  // namespace twiddle
