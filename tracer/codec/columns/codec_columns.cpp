#include "tracer/codec/columns/codec_columns.h"

#include "tracer/codec/columns/compress.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <numbers>

namespace twiddle {
namespace {

template <typename Word>
void fold_difference(std::span<const std::byte> actual, std::span<const std::byte> predicted, std::byte* out) {
  for (std::size_t at = 0; at < actual.size(); at += sizeof(Word)) {
    Word a, p;
    std::memcpy(&a, actual.data() + at, sizeof a);
    std::memcpy(&p, predicted.data() + at, sizeof p);
    p = fold<Word>(static_cast<Word>(a - p));
    std::memcpy(out + at, &p, sizeof p);
  }
}

template <typename Word>
void add_folded(const std::byte* folded, std::span<std::byte> prediction) {
  for (std::size_t at = 0; at < prediction.size(); at += sizeof(Word)) {
    Word f, p;
    std::memcpy(&f, folded + at, sizeof f);
    std::memcpy(&p, prediction.data() + at, sizeof p);
    p += unfold(f);
    std::memcpy(prediction.data() + at, &p, sizeof p);
  }
}

// Calls `use` with the unsigned number of so many bytes.
template <typename Use>
void with_word(std::size_t bytes, const Use& use) {
  switch (bytes) {
    case 1: return use.template operator()<std::uint8_t>();
    case 2: return use.template operator()<std::uint16_t>();
    case 8: return use.template operator()<std::uint64_t>();
    default: return use.template operator()<std::uint32_t>();
  }
}

// The column one row later: row 0 predicts itself to be zero.
std::vector<std::byte> previous_rows(std::span<const std::byte> column, std::size_t element) {
  std::vector<std::byte> result(column.size());
  if (column.size() > element) std::memcpy(result.data() + element, column.data(), column.size() - element);
  return result;
}

// ---- finding out which roots of unity a column holds ----

struct FoundRoots {
  TwiddleTables::Roots roots;
  Formula formula;
  std::uint32_t multiplier = 1;
};

// How far a device's sines and cosines may be off and still be taken for roots of unity.
double root_tolerance(bool wide) { return wide ? 1e-12 : 4e-6; }

// The inverse of an odd number modulo 2^32 (Newton).
std::uint32_t inverse(std::uint32_t odd) {
  std::uint32_t x = odd;
  for (int i = 0; i < 5; ++i) x *= 2 - odd * x;
  return x;
}

std::optional<FoundRoots> find_roots(std::span<const std::uint32_t> rows, std::span<const std::byte> column,
                                     ElementType type, const FormulaSources& sources, unsigned max_order) {
  const std::size_t element = traits(type).bytes;
  const double tolerance = root_tolerance(traits(type).wide);
  std::vector<double> turns(rows.size());  // clockwise, 0 … 1
  int clockwise = 0;                       // minus those that turn the other way
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::byte* value = column.data() + std::size_t(rows[i]) * element;
    const double x = component(type, value, 0), y = component(type, value, 1);
    if (!(std::abs(std::hypot(x, y) - 1) <= 4 * tolerance)) return std::nullopt;
    turns[i] = -std::atan2(y, x) / (2 * std::numbers::pi);
    clockwise += y < -tolerance ? 1 : y > tolerance ? -1 : 0;
    turns[i] -= std::floor(turns[i]);
  }

  std::vector<std::uint32_t> index(rows.size());
  FoundRoots found;
  found.roots.wide = traits(type).wide;
  const bool conjugate_first = clockwise < 0;
  for (unsigned log2_order = 1; log2_order <= max_order; ++log2_order) {
    const double order = std::ldexp(1, static_cast<int>(log2_order));
    const auto off = [&](double turn) { return std::abs(turn * order - std::round(turn * order)) / order; };
    const bool near = std::all_of(turns.begin(), turns.end(),
                                  [&](double turn) { return off(turn) * 2 * std::numbers::pi <= tolerance; });
    if (!near) continue;
    found.roots.log2_order = log2_order;
    const std::uint32_t mask = (1u << log2_order) - 1;
    for (const bool conjugate : {conjugate_first, !conjugate_first})
      for (const std::uint32_t multiplier : {1u, 3u}) {  // radix 4 takes every third one, too
        for (std::size_t i = 0; i < rows.size(); ++i) {
          const auto root = static_cast<std::uint32_t>(std::llround(turns[i] * order)) & mask;
          index[i] = ((conjugate ? 0u - root : root) * inverse(multiplier)) & mask;
        }
        auto formula = fit_formula(rows, index, sources);
        if (!formula && multiplier == 1) formula = fit_product(rows, index, sources, 1u << log2_order);
        if (formula) {
          found.roots.conjugate = conjugate;
          found.formula = *formula;
          found.multiplier = multiplier;
          return found;
        }
      }
  }
  return std::nullopt;
}

// The numbers of a column's roots, a batch at a time: each(first row, numbers).
constexpr std::uint32_t batch = 1024;

template <typename Each>
void for_root_batches(const Formula& formula, std::uint32_t multiplier, const FormulaSources& sources,
                      const Each& each) {
  const FormulaValues values(formula, sources);
  std::uint32_t index[batch];
  for (std::uint32_t first = 0; first < sources.count; first += batch) {
    const std::uint32_t count = std::min(batch, sources.count - first);
    values.get(first, count, index);
    if (multiplier != 1)
      for (std::uint32_t i = 0; i < count; ++i) index[i] *= multiplier;
    each(first, std::span<const std::uint32_t>(index, count));
  }
}

bool is_complex(ElementType type) { return type == ElementType::Float2 || type == ElementType::Double2; }

}  // namespace

std::size_t component_bytes(ElementType type) { return component_bytes_of(type); }

bool DifferenceBuilder::add(std::size_t offset, std::span<const std::byte> actual,
                            std::span<const std::byte> predicted) {
  assert(actual.size() == predicted.size() && offset + actual.size() <= bytes_);
  if (actual.empty() || std::memcmp(actual.data(), predicted.data(), actual.size()) == 0) return true;
  folded_.resize(bytes_);
  with_word(component_, [&]<typename Word>() { fold_difference<Word>(actual, predicted, folded_.data() + offset); });
  return false;
}

void DifferenceBuilder::write(ByteWriter& out) const {
  out.byte(!folded_.empty());
  if (!folded_.empty()) out.string(compress(folded_, component_));
}

StoredDifference::StoredDifference(ByteReader& in, std::size_t bytes, std::size_t component) : component_(component) {
  if (in.byte() == 0) return;
  folded_.resize(bytes);
  decompress(in.string(), component, folded_);
}

void StoredDifference::add(std::size_t offset, std::span<std::byte> prediction) const {
  if (folded_.empty()) return;
  assert(offset + prediction.size() <= folded_.size());
  with_word(component_, [&]<typename Word>() { add_folded<Word>(folded_.data() + offset, prediction); });
}

unsigned max_log2_order(std::uint64_t elements) {
  // Packed real transforms use the roots of twice their points.
  const auto order = static_cast<unsigned>(std::bit_width(std::max<std::uint64_t>(elements, 2) - 1)) + 1;
  return std::clamp(order, 4u, TwiddleTables::max_log2_order);
}

void write_coefficients(ByteWriter& out, std::span<const std::byte> column, ElementType type,
                        const FormulaSources& sources, TwiddleTables& tables, unsigned max_order) {
  const std::size_t element = traits(type).bytes, component = component_bytes(type);
  const std::vector<std::uint32_t> rows = sample_rows(sources.count);
  DifferenceBuilder difference(column.size(), component);
  const bool constant = std::all_of(rows.begin(), rows.end(), [&](std::uint32_t row) {
    return std::memcmp(column.data() + row * element, column.data(), element) == 0;
  });
  if (constant) {
    out.byte(static_cast<std::uint8_t>(CoefficientKind::Constant));
    out.raw(column.first(element));
    // The column against itself, one row later.
    if (std::memcmp(column.data(), column.data() + element, column.size() - element) != 0) {
      std::vector<std::byte> predicted(column.size());
      for (std::size_t at = 0; at < column.size(); at += element)
        std::memcpy(predicted.data() + at, column.data(), element);
      difference.add(0, column, predicted);
    }
    return difference.write(out);
  }
  const auto found = is_complex(type) ? find_roots(rows, column, type, sources, max_order) : std::nullopt;
  if (!found) {
    out.byte(static_cast<std::uint8_t>(CoefficientKind::Previous));
    difference.add(0, column, previous_rows(column, element));
    return difference.write(out);
  }
  out.byte(static_cast<std::uint8_t>(CoefficientKind::Roots));
  out.byte(static_cast<std::uint8_t>(found->roots.log2_order));
  out.byte(found->roots.conjugate);
  out.byte(static_cast<std::uint8_t>(found->multiplier));
  write_formula(out, found->formula);
  bool right = true;
  for_root_batches(
      found->formula, found->multiplier, sources, [&](std::uint32_t first, std::span<const std::uint32_t> index) {
        std::byte predicted[batch * 16];
        const std::size_t bytes = index.size() * element;
        tables.predict(found->roots, index, predicted);
        right &= difference.add(first * element, column.subspan(first * element, bytes), {predicted, bytes});
      });
  difference.write(out);
  // All of a block is predicted before any of it is learnt.
  if (!right)
    for_root_batches(found->formula, found->multiplier, sources,
                     [&](std::uint32_t first, std::span<const std::uint32_t> index) {
                       tables.learn(found->roots, index, column.data() + first * element);
                     });
}

void read_coefficients(ByteReader& in, CoefficientKind kind, std::span<std::byte> column, ElementType type,
                       const FormulaSources& sources, TwiddleTables& tables, unsigned max_order) {
  const std::size_t element = traits(type).bytes, component = component_bytes(type);
  if (kind == CoefficientKind::Constant) {
    const auto value = in.raw(element);
    for (std::size_t at = 0; at < column.size(); at += element) std::memcpy(column.data() + at, value.data(), element);
    return StoredDifference(in, column.size(), component).add(0, column);
  }
  if (kind == CoefficientKind::Previous) {
    const StoredDifference difference(in, column.size(), component);
    std::fill(column.begin(), column.end(), std::byte{0});
    for (std::size_t at = 0; at < column.size(); at += element) {
      if (at > 0) std::memcpy(column.data() + at, column.data() + at - element, element);
      difference.add(at, column.subspan(at, element));
    }
    return;
  }
  if (kind != CoefficientKind::Roots || !is_complex(type))
    throw unreadable("a block of the trace predicts its coefficients in an unknown way");
  TwiddleTables::Roots roots;
  roots.wide = traits(type).wide;
  roots.log2_order = in.byte();
  if (roots.log2_order < 1 || roots.log2_order > max_order)
    throw unreadable("a block of the trace names roots of unity that its buffers cannot need");
  roots.conjugate = in.byte() != 0;
  const std::uint32_t multiplier = in.byte();
  const Formula formula = read_formula(in, sources.columns.size());
  if (formula.kind == Formula::Kind::Previous)
    throw unreadable("a block of the trace has no formula for its roots of unity");
  for_root_batches(formula, multiplier, sources, [&](std::uint32_t first, std::span<const std::uint32_t> index) {
    tables.predict(roots, index, column.data() + first * element);
  });
  const StoredDifference difference(in, column.size(), component);
  if (difference.empty()) return;
  difference.add(0, column);
  for_root_batches(formula, multiplier, sources, [&](std::uint32_t first, std::span<const std::uint32_t> index) {
    tables.learn(roots, index, column.data() + first * element);
  });
}

}  // namespace twiddle
