// Columns of numbers that follow from other numbers: what a kernel computes its indices by, found again from the indices.
#pragma once

#include "tracer/trace/bytes.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace twiddle {

/// c as a function of some x, modulo 2^32. `Previous` is the element before (0 before the first); `Affine` is base + step·x;
/// `Bits` is base with bits[j] exclusive-or'ed in for every set bit j of x; `Product` is x·y, as the definition of the
/// transform has it. Powers of two make nearly every index of an FFT a Bits formula of the work-item: pairs, blocks, bit and
/// digit reversal, transposition, roots of unity.
struct Formula {
  enum class Kind : std::uint8_t { Previous = 0, Affine, Bits, Product };
  Kind kind = Kind::Previous;
  std::uint8_t source = 0;  // which column is x
  std::uint8_t other = 0;   // of Product: which is y
  std::uint32_t base = 0, step = 0;
  std::array<std::uint32_t, 32> bits{};

  bool operator==(const Formula&) const = default;
};

/// The columns that a formula may take x from, all of one length. Number 0 is the row's own number and has no column.
struct FormulaSources {
  std::uint32_t count = 0;  // rows
  std::vector<const std::uint32_t*> columns{nullptr};
};

/// The formula of one column that agrees with all samples (row, value), or nothing. Samples should cover small and large
/// rows; of a few dozen that agree, no other row is likely to differ.
std::optional<Formula> fit_formula(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> values,
                                   const FormulaSources& sources);

/// A product of two columns that agrees with all samples but for multiples of `modulus`, a power of two; or nothing.
std::optional<Formula> fit_product(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> values,
                                   const FormulaSources& sources, std::uint32_t modulus);

/// Rows worth looking at: the first, powers of two and their neighbours, the last, and some in between; ascending.
std::vector<std::uint32_t> sample_rows(std::uint32_t count);

/// A formula made ready to be evaluated, a few rows at a time. Not for Previous.
class FormulaValues {
 public:
  FormulaValues(const Formula& formula, const FormulaSources& sources);
  /// The values of rows first … first + count − 1.
  void get(std::uint32_t first, std::uint32_t count, std::uint32_t* out) const;

 private:
  Formula formula_;
  const std::uint32_t *x_, *y_;
  std::array<std::array<std::uint32_t, 256>, 4> tables_;  // of Bits: what each byte of x does
};

/// A formula as bytes: kind, source, then base and step, base and the mask of bits with their words, or the other source. `read`
/// takes sources' numbers below `sources`.
void write_formula(ByteWriter& out, const Formula& formula);
Formula read_formula(ByteReader& in, std::size_t sources);

/// A column as bytes: its formula and, where that does not tell all, the difference. The reader wants `count` values.
void write_numbers(ByteWriter& out, std::span<const std::uint32_t> column, const FormulaSources& sources);
void read_numbers(ByteReader& in, const FormulaSources& sources, std::vector<std::uint32_t>& column);

}  // namespace twiddle
