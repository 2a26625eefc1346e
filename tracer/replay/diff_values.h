// How far two operations are apart, number by number.
#pragma once

#include "tracer/replay/diff.h"

namespace twiddle {

/// Fills in `aspects` and `ulps` of a difference that has both operations. `to_first` maps the second trace's buffers to the
/// first's; what has no counterpart is negative there. False when nothing differs.
bool compare_operations(Difference& difference, const std::vector<int>& to_first, std::uint64_t ulps);

/// Distance of two numbers of a type in ulps at `magnitude`: 0 when they are equal or both NaN, infinite when one of them is
/// not finite.
double ulps_apart(ElementType type, double a, double b, double magnitude);

}  // namespace twiddle
