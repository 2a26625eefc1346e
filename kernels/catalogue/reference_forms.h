// The forms of expectations, each a function of one transform's points. T is std::complex<double> or Whole.
#pragma once

#include "kernels/catalogue/reference.h"

#include <complex>
#include <span>
#include <vector>

namespace twiddle {

/// What a form gets: one transform's points (padded with zeros to the transform's length, row by row in two dimensions), and
/// the operand.
template <typename T>
struct Form {
  const Expect& expect;
  const ExpectShape& shape;
  std::span<const T> x;
  std::span<const T> operand;
  std::uint64_t transform = 0;  // its number in the batch
};

/// reference_fourier.cpp: fft, inverse-fft, real-fft, their planes, dct-2, haar.
bool is_fourier_form(Expect::Transform transform);
std::vector<std::complex<double>> fourier_form(const Form<std::complex<double>>& form);

/// reference_sums.cpp: sum, scan, segmented-sum, convolution, matrix.
template <typename T>
bool sums_form(const Form<T>& form, std::vector<T>& out);

/// reference_order.cpp: max, arg-max, sort, transpose, histogram, values, equals.
template <typename T>
bool order_form(const Form<T>& form, std::vector<T>& out);

/// reference_ntt.cpp
std::vector<Whole> ntt_form(const Form<Whole>& form);

// ---- Arithmetic that both kinds of number have ----

inline Whole operator+(const Whole& a, const Whole& b) {
  __extension__ using Bits = unsigned __int128;  // wraps, as signed ones must not
  return {static_cast<Int128>(static_cast<Bits>(a.re) + static_cast<Bits>(b.re)),
          static_cast<Int128>(static_cast<Bits>(a.im) + static_cast<Bits>(b.im))};
}
inline Whole operator*(const Whole& a, const Whole& b) {
  __extension__ using Bits = unsigned __int128;
  const auto product = [](Int128 x, Int128 y) { return static_cast<Bits>(x) * static_cast<Bits>(y); };
  return {static_cast<Int128>(product(a.re, b.re) - product(a.im, b.im)),
          static_cast<Int128>(product(a.re, b.im) + product(a.im, b.re))};
}
inline double real_part(const std::complex<double>& value) { return value.real(); }
inline Int128 real_part(const Whole& value) { return value.re; }

}  // namespace twiddle
