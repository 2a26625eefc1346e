#include "tracer/codec/columns/formula.h"

#include "base/values/sorted.h"
#include "tracer/codec/columns/compress.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

namespace twiddle {
namespace {

// base + step·x through two samples whose x differ least; the rest must agree.
std::optional<Formula> fit_affine(std::span<const std::uint32_t> x, std::span<const std::uint32_t> c) {
  Formula formula;
  formula.kind = Formula::Kind::Affine;
  std::uint32_t nearest = 0;
  for (std::size_t i = 1; i < x.size(); ++i) {
    const std::uint32_t apart = x[i] - x[i - 1];
    const auto rise = static_cast<std::int32_t>(c[i] - c[i - 1]);
    if (apart == 0 || apart > INT32_MAX || (nearest != 0 && apart >= nearest)) continue;
    if (rise % static_cast<std::int32_t>(apart) != 0) continue;
    nearest = apart;
    formula.step = static_cast<std::uint32_t>(rise / static_cast<std::int32_t>(apart));
  }
  formula.base = c[0] - formula.step * x[0];
  for (std::size_t i = 0; i < x.size(); ++i)
    if (formula.base + formula.step * x[i] != c[i]) return std::nullopt;
  return formula;
}

// Gaussian elimination over bits: each sample says what its x's difference from the first one's does to c.
std::optional<Formula> fit_bits(std::span<const std::uint32_t> x, std::span<const std::uint32_t> c) {
  std::array<std::uint32_t, 32> basis_x{}, basis_c{};  // by highest bit
  for (std::size_t i = 1; i < x.size(); ++i) {
    std::uint32_t dx = x[i] ^ x[0], dc = c[i] ^ c[0];
    while (dx != 0) {
      const auto high = static_cast<std::size_t>(std::bit_width(dx) - 1);
      if (basis_x[high] == 0) {
        basis_x[high] = dx;
        basis_c[high] = dc;
        dc = 0;
        break;
      }
      dx ^= basis_x[high];
      dc ^= basis_c[high];
    }
    if (dc != 0) return std::nullopt;
  }
  // Back substitution, from the lowest pivot up; bits that never varied on their own do nothing.
  Formula formula;
  formula.kind = Formula::Kind::Bits;
  for (std::size_t high = 0; high < 32; ++high) {
    if (basis_x[high] == 0) continue;
    formula.bits[high] = basis_c[high];
    for (std::size_t low = 0; low < high; ++low)
      if ((basis_x[high] >> low) & 1) formula.bits[high] ^= formula.bits[low];
  }
  formula.base = c[0];
  for (std::size_t bit = 0; bit < 32; ++bit)
    if ((x[0] >> bit) & 1) formula.base ^= formula.bits[bit];
  return formula;
}

// Rows looked at together: they stay in the nearest cache.
constexpr std::uint32_t batch = 1024;

}  // namespace

std::vector<std::uint32_t> sample_rows(std::uint32_t count) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t power = 1; power <= count; power *= 2)
    for (std::uint32_t row : {power - 1, power, power + 1})
      if (row < count) rows.push_back(row);
  for (std::uint32_t i = 0; i < 64; ++i) rows.push_back(static_cast<std::uint32_t>(std::uint64_t(count) * i / 64));
  if (count > 0) rows.push_back(count - 1);
  sort_unique(rows);
  return rows;
}

std::optional<Formula> fit_formula(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> values,
                                   const FormulaSources& sources) {
  if (rows.empty()) return std::nullopt;
  std::vector<std::uint32_t> x(rows.size());
  using Fit = std::optional<Formula> (*)(std::span<const std::uint32_t>, std::span<const std::uint32_t>);
  for (const Fit fit : {Fit(fit_affine), Fit(fit_bits)})
    for (std::size_t source = 0; source < sources.columns.size(); ++source) {
      for (std::size_t i = 0; i < rows.size(); ++i) x[i] = source == 0 ? rows[i] : sources.columns[source][rows[i]];
      if (auto formula = fit(x, values)) {
        formula->source = static_cast<std::uint8_t>(source);
        return formula;
      }
    }
  return std::nullopt;
}

std::optional<Formula> fit_product(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> values,
                                   const FormulaSources& sources, std::uint32_t modulus) {
  Formula formula;
  formula.kind = Formula::Kind::Product;
  for (std::size_t x = 1; x < sources.columns.size(); ++x)
    for (std::size_t y = 1; y < x; ++y) {
      formula.source = static_cast<std::uint8_t>(x);
      formula.other = static_cast<std::uint8_t>(y);
      std::size_t right = 0;
      while (right < rows.size() &&
             ((sources.columns[x][rows[right]] * sources.columns[y][rows[right]] - values[right]) & (modulus - 1)) == 0)
        ++right;
      if (right == rows.size()) return formula;
    }
  return std::nullopt;
}

FormulaValues::FormulaValues(const Formula& formula, const FormulaSources& sources)
    : formula_(formula), x_(sources.columns[formula.source]), y_(sources.columns[formula.other]) {
  assert(formula.kind != Formula::Kind::Previous);
  if (formula.kind != Formula::Kind::Bits) return;
  for (std::size_t byte = 0; byte < 4; ++byte) {
    tables_[byte][0] = 0;
    for (std::size_t value = 1; value < 256; ++value) {
      const auto low = static_cast<std::size_t>(std::countr_zero(value));
      tables_[byte][value] = tables_[byte][value & (value - 1)] ^ formula.bits[8 * byte + low];
    }
  }
}

void FormulaValues::get(std::uint32_t first, std::uint32_t count, std::uint32_t* out) const {
  const std::uint32_t base = formula_.base, step = formula_.step;
  if (formula_.kind == Formula::Kind::Affine) {
    if (x_)
      for (std::uint32_t i = 0; i < count; ++i) out[i] = base + step * x_[first + i];
    else
      for (std::uint32_t i = 0; i < count; ++i) out[i] = base + step * (first + i);
    return;
  }
  if (formula_.kind == Formula::Kind::Product) {
    for (std::uint32_t i = 0; i < count; ++i)
      out[i] = (x_ ? x_[first + i] : first + i) * (y_ ? y_[first + i] : first + i);
    return;
  }
  const auto high_part = [&](std::uint32_t x) {
    return base ^ tables_[1][(x >> 8) & 0xff] ^ tables_[2][(x >> 16) & 0xff] ^ tables_[3][x >> 24];
  };
  if (x_) {
    for (std::uint32_t i = 0; i < count; ++i) out[i] = high_part(x_[first + i]) ^ tables_[0][x_[first + i] & 0xff];
    return;
  }
  // Rows that differ in the lowest byte only.
  for (std::uint32_t i = 0; i < count;) {
    const std::uint32_t low = (first + i) & 0xff, end = std::min(count - i, 256 - low), high = high_part(first + i);
    for (std::uint32_t k = 0; k < end; ++k) out[i + k] = high ^ tables_[0][low + k];
    i += end;
  }
}

void write_formula(ByteWriter& out, const Formula& formula) {
  out.byte(static_cast<std::uint8_t>(formula.kind));
  if (formula.kind == Formula::Kind::Previous) return;
  out.byte(formula.source);
  if (formula.kind == Formula::Kind::Product) return out.byte(formula.other);
  out.number(formula.base);
  if (formula.kind == Formula::Kind::Affine) return out.number(formula.step);
  std::uint32_t mask = 0;
  for (std::size_t bit = 0; bit < 32; ++bit) mask |= formula.bits[bit] != 0 ? 1u << bit : 0u;
  out.number(mask);
  for (const std::uint32_t word : formula.bits)
    if (word != 0) out.number(word);
}

Formula read_formula(ByteReader& in, std::size_t sources) {
  Formula formula;
  const std::uint8_t kind = in.byte();
  if (kind > static_cast<std::uint8_t>(Formula::Kind::Product))
    throw unreadable("a block of the trace holds an unknown formula");
  formula.kind = static_cast<Formula::Kind>(kind);
  if (formula.kind == Formula::Kind::Previous) return formula;
  formula.source = in.byte();
  if (formula.source >= sources) throw unreadable("a formula of the trace names a column that does not exist");
  if (formula.kind == Formula::Kind::Product) {
    formula.other = in.byte();
    if (formula.other >= sources) throw unreadable("a formula of the trace names a column that does not exist");
    return formula;
  }
  formula.base = static_cast<std::uint32_t>(in.number_up_to(UINT32_MAX));
  if (formula.kind == Formula::Kind::Affine) {
    formula.step = static_cast<std::uint32_t>(in.number_up_to(UINT32_MAX));
    return formula;
  }
  const auto mask = static_cast<std::uint32_t>(in.number_up_to(UINT32_MAX));
  for (std::size_t bit = 0; bit < 32; ++bit)
    if ((mask >> bit) & 1) formula.bits[bit] = static_cast<std::uint32_t>(in.number_up_to(UINT32_MAX));
  return formula;
}

void write_numbers(ByteWriter& out, std::span<const std::uint32_t> column, const FormulaSources& sources) {
  assert(column.size() == sources.count);
  const std::vector<std::uint32_t> rows = sample_rows(sources.count);
  std::vector<std::uint32_t> values(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) values[i] = column[rows[i]];

  std::vector<std::uint32_t> difference;
  if (const auto formula = fit_formula(rows, values, sources)) {
    const FormulaValues predictions(*formula, sources);
    std::uint32_t predicted[batch];
    std::size_t different = 0;
    for (std::uint32_t first = 0; first < sources.count; first += batch) {
      const std::uint32_t count = std::min(batch, sources.count - first);
      predictions.get(first, count, predicted);
      if (std::memcmp(predicted, column.data() + first, count * sizeof(std::uint32_t)) == 0) continue;
      difference.resize(column.size());
      for (std::uint32_t i = 0; i < count; ++i) {
        difference[first + i] = fold(column[first + i] - predicted[i]);
        different += difference[first + i] != 0;
      }
    }
    // A formula that is wrong every other time is worth less than the element before.
    if (different <= column.size() / 4) {
      write_formula(out, *formula);
      out.byte(different > 0);
      if (different > 0) out.string(compress(std::as_bytes(std::span(difference)), sizeof(std::uint32_t)));
      return;
    }
  }
  write_formula(out, Formula());
  difference.resize(column.size());
  for (std::size_t i = 0; i < column.size(); ++i) difference[i] = fold(column[i] - (i > 0 ? column[i - 1] : 0));
  out.string(compress(std::as_bytes(std::span(difference)), sizeof(std::uint32_t)));
}

void read_numbers(ByteReader& in, const FormulaSources& sources, std::vector<std::uint32_t>& column) {
  column.resize(sources.count);
  const Formula formula = read_formula(in, sources.columns.size());
  if (formula.kind == Formula::Kind::Previous) {
    decompress(in.string(), sizeof(std::uint32_t), std::as_writable_bytes(std::span(column)));
    std::uint32_t previous = 0;
    for (std::uint32_t& value : column) value = previous += unfold(value);
    return;
  }
  FormulaValues(formula, sources).get(0, sources.count, column.data());
  if (in.byte() == 0) return;
  std::vector<std::uint32_t> difference(column.size());
  decompress(in.string(), sizeof(std::uint32_t), std::as_writable_bytes(std::span(difference)));
  for (std::size_t i = 0; i < column.size(); ++i) column[i] += unfold(difference[i]);
}

}  // namespace twiddle
