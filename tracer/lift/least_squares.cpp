#include "tracer/lift/least_squares.h"

#include <cmath>

namespace twiddle {

std::vector<Complex> least_squares(const std::vector<Complex>& rows, const std::vector<Complex>& right, std::size_t n) {
  if (right.size() < n || n == 0) return {};
  // The normal equations, [n][n + 1]: the inputs are random numbers of one size, so that little is lost by squaring.
  std::vector<Complex> normal(n * (n + 1));
  for (std::size_t s = 0; s < right.size(); ++s) {
    const Complex* row = rows.data() + s * n;
    for (std::size_t i = 0; i < n; ++i) {
      const Complex own = std::conj(row[i]);
      for (std::size_t j = 0; j < n; ++j) normal[i * (n + 1) + j] += times(own, row[j]);
      normal[i * (n + 1) + n] += times(own, right[s]);
    }
  }
  const auto at = [&](std::size_t r, std::size_t c) -> Complex& { return normal[r * (n + 1) + c]; };
  std::vector<double> size(n);
  for (std::size_t c = 0; c < n; ++c) size[c] = std::abs(at(c, c));
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c + 1; r < n; ++r)
      if (std::abs(at(r, c)) > std::abs(at(pivot, c))) pivot = r;
    if (!(std::abs(at(pivot, c)) > 1e-9 * size[c])) return {};
    if (pivot != c)
      for (std::size_t k = 0; k <= n; ++k) std::swap(at(pivot, k), at(c, k));
    for (std::size_t r = 0; r < n; ++r) {
      if (r == c) continue;
      const Complex f = at(r, c) / at(c, c);
      if (f == 0.0) continue;
      for (std::size_t k = c; k <= n; ++k) at(r, k) -= times(f, at(c, k));
    }
  }
  std::vector<Complex> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = at(i, n) / at(i, i);
  return x;
}

double relative_residual(const std::vector<Complex>& rows, const std::vector<Complex>& right,
                         const std::vector<Complex>& x) {
  double error = 0, size = 0;
  for (std::size_t s = 0; s < right.size(); ++s) {
    Complex sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += times(rows[s * x.size() + i], x[i]);
    error += std::norm(sum - right[s]);
    size += std::norm(right[s]);
  }
  return size > 0 ? std::sqrt(error / size) : error > 0 ? INFINITY : 0;
}

}  // namespace twiddle
