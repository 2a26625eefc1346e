// The columns of a block as bytes: differences from a prediction, and coefficients with the predictions that they have.
#pragma once

#include "kernels/plan/element.h"
#include "tracer/codec/columns/formula.h"
#include "tracer/codec/columns/twiddle_table.h"
#include "tracer/trace/bytes.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace twiddle {

/// Bytes of one component: 4 or 8. Differences are taken component by component.
std::size_t component_bytes(ElementType type);

/// What logged values have more than predicted ones. Components are subtracted as unsigned integers, and folded so that
/// small differences of either sign are small numbers.
class DifferenceBuilder {
 public:
  /// For a column of `bytes` bytes whose components have `component`.
  DifferenceBuilder(std::size_t bytes, std::size_t component) : bytes_(bytes), component_(component) {}
  /// Takes the stretch of the column from `offset` on. True where prediction and log agree.
  bool add(std::size_t offset, std::span<const std::byte> actual, std::span<const std::byte> predicted);
  bool empty() const { return folded_.empty(); }
  /// Stores it: one zero byte where there is no difference.
  void write(ByteWriter& out) const;

 private:
  std::vector<std::byte> folded_;  // empty until something differs
  std::size_t bytes_, component_;
};

/// A stored difference, to be added to predictions piece by piece.
class StoredDifference {
 public:
  StoredDifference() = default;
  StoredDifference(ByteReader& in, std::size_t bytes, std::size_t component);
  bool empty() const { return folded_.empty(); }
  /// Turns a prediction of the bytes from `offset` on into what was logged.
  void add(std::size_t offset, std::span<std::byte> prediction) const;

 private:
  std::vector<std::byte> folded_;
  std::size_t component_ = 4;
};

/// How a column of coefficients is predicted. The numbering is the file's.
enum class CoefficientKind : std::uint8_t {
  Constant = 0,  // one value for all
  Previous,      // the row before
  Roots,         // roots of unity, by a formula
  Sum,           // what the item's Term before it summed up to: stored with the values (codec_values.h)
};

/// The largest order of a root that a block may ask for, by the size of the trace's largest buffer.
unsigned max_log2_order(std::uint64_t elements);

/// Writes and reads a column of coefficients other than sums, whose kind is written before it.
void write_coefficients(ByteWriter& out, std::span<const std::byte> column, ElementType type,
                        const FormulaSources& sources, TwiddleTables& tables, unsigned max_order);
void read_coefficients(ByteReader& in, CoefficientKind kind, std::span<std::byte> column, ElementType type,
                       const FormulaSources& sources, TwiddleTables& tables, unsigned max_order);

}  // namespace twiddle
