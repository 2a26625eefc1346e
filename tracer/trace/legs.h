// Butterflies of any radix, as lifting finds them: `radix` legs in and as many out, a factor on each.
#pragma once

#include <array>
#include <cmath>
#include <complex>
#include <cstddef>

namespace twiddle {

inline constexpr int max_legs = 32;

/// What makes such a butterfly beside its accesses and factors. What is read is multiplied by the factors before the transform
/// or, `behind`, what comes out of it; no leg needs to be next to another.
struct Legs {
  int radix = 0;  // 2 … max_legs; 0: it is another operation
  bool behind = false;
  bool inverse = false;  // e^(+2πi pq/r)
};

template <typename T>
using LegValues = std::array<std::complex<T>, max_legs>;

/// Its outputs: out[p] = w[p] · Σ_q w[q]·in[q]·e^(∓2πi pq/r), with the factors on one side.
template <typename T>
LegValues<T> transformed(const Legs& legs, LegValues<T> in, const LegValues<T>& w) {
  const T turn = (legs.inverse ? 2 : -2) * T(3.141592653589793238462643383279502884L) / T(legs.radix);
  LegValues<T> roots, out;
  for (int k = 0; k < legs.radix; ++k) roots[k] = std::polar(T(1), turn * T(k));
  if (!legs.behind)
    for (int q = 0; q < legs.radix; ++q) in[q] *= w[q];
  for (int p = 0; p < legs.radix; ++p) {
    for (int q = 0; q < legs.radix; ++q) out[p] += in[q] * roots[p * q % legs.radix];
    if (legs.behind) out[p] *= w[p];
  }
  return out;
}

}  // namespace twiddle
