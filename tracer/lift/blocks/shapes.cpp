#include "tracer/lift/blocks/shapes.h"

#include "tracer/lift/blocks/operations.h"

#include <algorithm>
#include <optional>

namespace twiddle {

Shape shape_with(const Lifted& lifted, const LiftedOperation& op, const Elements& all, const AccessLog& log) {
  const bool single = one_buffer(all.reads) && one_buffer(all.writes);
  const auto points = lifted.reads(op);
  if (std::any_of(points.begin(), points.end(), [](const LiftedPoint& point) { return point.conjugated; }))
    return Shape::None;
  const auto coefficients = lifted.coefficients_of(op);
  switch (op.kind) {
    case LiftedKind::Move: return all.reads.size() == 1 ? Shape::Move : Shape::None;
    case LiftedKind::Scale:
    case LiftedKind::Rotate: return in_place(all) ? Shape::Scale : Shape::ScaleTo;
    case LiftedKind::Pack: return single && op.writes == 2 && !op.mirrored && op.scale == 1 ? Shape::Pack : Shape::None;
    case LiftedKind::Atomic: return Shape::Atomic;
    case LiftedKind::Butterfly: {
      if (!single || op.number != Number::Complex || !of_whole_values(lifted, op)) return Shape::None;
      if (op.partial()) return Shape::Term;
      const bool plain =
          op.decimation_in_time && op.scale == 1 && (coefficients.empty() || std::abs(coefficients[0] - 1.0) <= 1e-6);
      if (plain && op.radix() == 2) return in_place(all) ? Shape::Butterfly2 : Shape::Butterfly2To;
      if (plain && op.radix() == 4) return in_place(all) ? Shape::Butterfly4 : Shape::Butterfly4To;
      if (op.radix() > max_legs || op.coefficients != op.reads || op.writes != op.reads) return Shape::None;
      return shape_with(Legs{op.radix(), !op.decimation_in_time, op.sign > 0});
    }
    case LiftedKind::Sum: {
      if (op.writes != 1) return Shape::None;
      if (is_atomic(log.sites[log.site[lifted.writes_of(op)[0].record[0]]].kind)) return Shape::Term;
      const bool loop = points.size() >= 2 && log.site[points[0].record[0]] == log.site[points[1].record[0]] &&
                        log.sites[log.site[points[0].record[0]]].kind == AccessKind::Load;
      return points.size() == 2 && single && !loop ? Shape::Combine : Shape::Term;
    }
    case LiftedKind::Linear:
      // The real part of a sum of complex values.
      if (op.number == Number::Real &&
          std::any_of(points.begin(), points.end(), [](const LiftedPoint& point) { return point.complex; }))
        return Shape::None;
      return op.writes == 1 && (op.number == Number::Complex || std::all_of(coefficients.begin(), coefficients.end(),
                                                                            [](auto c) { return c.imag() == 0; }))
                 ? Shape::Term
                 : Shape::None;
    case LiftedKind::Minimum:
    case LiftedKind::Maximum:
    case LiftedKind::Product:
    case LiftedKind::Constant: break;
  }
  return Shape::None;
}

int factor_of(const LiftedOperation& op, const Elements& all) {
  if (op.kind != LiftedKind::Product || op.number == Number::Whole || op.reads != 2 || op.writes != 1) return -1;
  return all.writes[0].same_place(all.reads[1]) ? 0 : 1;
}

Shape shape_of(const Lifted& lifted, const LiftedOperation& op, const AccessLog& log, const TraceInfo& info) {
  const std::optional<Elements> found = elements_of(lifted, op, log, info, SharedElements(info));
  return found ? shape_with(lifted, op, *found, log) : Shape::None;
}

}  // namespace twiddle
