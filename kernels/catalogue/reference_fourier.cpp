// Transforms of Fourier and their kin.
#include "kernels/catalogue/reference_forms.h"

#include <numbers>

namespace twiddle {
namespace {

using Transform = Expect::Transform;
using Vector = std::vector<std::complex<double>>;

// dct-2: X[k] = Σ x[n] cos(π/N (n + ½) k), by a transform of the even extension x[0] … x[N−1] x[N−1] … x[0]: its bin k is
// 2 e^(iπk/2N) X[k].
Vector cosine_transform(std::span<const std::complex<double>> x) {
  const std::size_t n = x.size();
  Vector even(x.begin(), x.end());
  even.insert(even.end(), x.rbegin(), x.rend());
  Vector out = dft(even, -1);
  out.resize(n);
  for (std::size_t k = 0; k < n; ++k)
    out[k] *= 0.5 * std::polar(1.0, -std::numbers::pi * static_cast<double>(k) / (2 * static_cast<double>(n)));
  return out;
}

// Orthonormal, all levels: the average first, then differences from the coarsest to the finest.
Vector haar_transform(std::span<const std::complex<double>> x) {
  Vector values(x.begin(), x.end()), next(x.size());
  for (std::size_t length = x.size(); length > 1; length /= 2) {
    for (std::size_t i = 0; i < length / 2; ++i) {
      next[i] = (values[2 * i] + values[2 * i + 1]) * std::numbers::sqrt2 / 2.0;
      next[length / 2 + i] = (values[2 * i] - values[2 * i + 1]) * std::numbers::sqrt2 / 2.0;
    }
    std::copy(next.begin(), next.begin() + static_cast<std::ptrdiff_t>(length), values.begin());
  }
  return values;
}

// Half of a spectrum, the rest of which is its mirror image.
Vector whole_spectrum(std::span<const std::complex<double>> half, std::uint64_t given, std::uint64_t points) {
  Vector all(half.begin(), half.end());
  for (std::uint64_t k = given; k < points; ++k) all[k] = std::conj(half[points - k]);
  return all;
}

}  // namespace

bool is_fourier_form(Transform transform) {
  return traits(transform).fourier || transform == Transform::Dct2 || transform == Transform::Haar;
}

Vector fourier_form(const Form<std::complex<double>>& form) {
  const Expect& expect = form.expect;
  const TransformTraits& make = traits(expect.transform);
  if (expect.transform == Transform::Dct2) return cosine_transform(form.x);
  if (expect.transform == Transform::Haar) return haar_transform(form.x);
  Vector out;
  if (make.plane) {
    out = dft2d(form.x, form.shape.rows, form.shape.columns, expect.sign);
  } else {
    const std::uint64_t points = form.shape.points, given = form.shape.from.columns;
    const bool half = make.inverse && form.shape.to.grain == 1 && form.shape.to.imaginary == PointMap::none &&
                      given == points / 2 + 1 && points > 2;
    out = half ? dft(whole_spectrum(form.x, given, points), expect.sign) : dft(form.x, expect.sign);
  }
  if (make.inverse)
    for (std::complex<double>& value : out) value /= static_cast<double>(form.x.size());
  return out;
}

}  // namespace twiddle
