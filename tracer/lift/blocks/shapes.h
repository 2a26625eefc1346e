// What of a trace a lifted operation is.
#pragma once

#include "tracer/lift/elements.h"
#include "tracer/lift/lift.h"
#include "tracer/trace/operation.h"

namespace twiddle {

/// shape_of() an operation with these elements.
Shape shape_with(const Lifted& lifted, const LiftedOperation& op, const Elements& all, const AccessLog& log);

/// Which of two values that were multiplied is the factor, read from elsewhere than the product is written to; −1: another
/// operation. Of two others it is the second.
int factor_of(const LiftedOperation& op, const Elements& all);

}  // namespace twiddle
