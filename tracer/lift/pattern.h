// What an operation says of values, and whether it holds for those of an item.
#pragma once

#include "tracer/lift/lift.h"

#include <complex>
#include <cstdint>
#include <vector>

namespace twiddle {

using Complex = std::complex<double>;

/// An operation of all items of a shape: the slots of its accesses, and what is the same for all items.
struct Pattern {
  LiftedKind kind = LiftedKind::Move;
  Number number = Number::Real;
  std::uint8_t width = 4;
  std::vector<int> reads, writes;  // slots, in the order of points
  bool time = true;                // of a butterfly: twiddles before it
  bool fourier = false;            // Linear: the point of the reads' transform that fits
  int order = 0;                   // Linear: coefficients are powers of a root of unity of this order, each item's own
  bool turned = false;     // Linear: a butterfly's output `outputs[0]` of what is read times its coefficients, and then
                           // times a factor of modulus 1, each item's own
  bool exact = false;      // of a turned one: without that factor
  bool real_part = false;  // of a turned one: its real part times `scale`, and no factor of each item's own
  bool by_probes = false;  // Linear: with coefficients of each item's own, which probes tell
  bool free_first = false;   // its first twiddle need not be 1: their phases go in equal steps from any beginning
  bool mirrored = false;     // of a Pack: its second output is written as its conjugate, as bin n/2 − k
  bool odd = false;          // of a Pack of one output: H, not G
  bool one_of_two = false;   // of a Pack of one output: its second one, whose first was not stored
  bool plain = false;        // of a butterfly: no twiddles
  std::vector<int> outputs;  // of a plain butterfly: which of its outputs are written; empty: all, in order
  int sign = -1;
  double scale = 1;
  std::vector<Complex> coefficients;  // Scale's factor; Linear's rows
  Complex offset = 0;                 // Linear: what is added to the sum, the same for all items
  std::vector<int> tables;            // slots that hold the coefficients, one each, −1: none; empty: none at all
  std::vector<bool> conjugated;       // the coefficient is the conjugate of the table's value
};

enum class Holds : std::uint8_t {
  No,
  Empty,  // it holds, but would for any operation: all values are zero
  Yes,
};

/// The values of one item at a pattern's slots; `bits` are equal where values are the same, bit for bit.
struct Held {
  const Complex *in = nullptr, *out = nullptr;
  const std::uint64_t *in_bits = nullptr, *out_bits = nullptr;
};

/// Does the pattern hold? `coefficients` (room for one a read or write, or null) gets those of this item: a butterfly's
/// twiddles, a rotation's factor; NaN where a value is too small to tell. Of a Linear pattern without coefficients of its own
/// it holds those before.
Holds judge(const Pattern& pattern, const Held& held, double tolerance, Complex* coefficients);

/// In place of std::complex's own, which looks for infinities.
inline Complex times(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
/// The lowest `width` bytes (1 to 8) of a whole number, as one with a sign.
inline std::int64_t with_sign(std::uint64_t bits, int width) {
  const int unused = 64 - 8 * width;
  return static_cast<std::int64_t>(bits << unused) >> unused;
}
/// e^(2πi·k/n)
Complex root(std::int64_t k, std::int64_t n);

/// A butterfly's two sides, which differ by its twiddles alone: what comes out of them, and what goes in.
void butterfly_sides(const Pattern& pattern, const Complex* in, const Complex* out, Complex* above, Complex* below);

/// What coefficient `which` of a butterfly or a Pack of two outputs (or its second alone) is the ratio of, and the magnitude of
/// the values that both were computed from; NaN of other patterns.
struct Ratio {
  Complex above, below;
  double size = 0;
};
Ratio factor_ratio(const Pattern& pattern, const Held& held, std::size_t which);

}  // namespace twiddle
