// Coefficients from many equations.
#pragma once

#include "tracer/lift/pattern.h"

#include <vector>

namespace twiddle {

/// The x (of `n` unknowns) for which |A·x − b| is least. A is row after row, one for each entry of b. Empty where the rows do
/// not tell the unknowns apart.
std::vector<Complex> least_squares(const std::vector<Complex>& rows, const std::vector<Complex>& right, std::size_t n);

/// |A·x − b| / |b|
double relative_residual(const std::vector<Complex>& rows, const std::vector<Complex>& right,
                         const std::vector<Complex>& x);

}  // namespace twiddle
