#include "tracer/codec/columns/formula.h"

#include "base/error.h"

#include <doctest.h>

#include <functional>
#include <random>

using namespace twiddle;

namespace {

std::vector<std::uint32_t> column(std::uint32_t count, const std::function<std::uint32_t(std::uint32_t)>& value) {
  std::vector<std::uint32_t> result;
  for (std::uint32_t i = 0; i < count; ++i) result.push_back(value(i));
  return result;
}

std::uint32_t reversed(std::uint32_t x, int bits) {
  std::uint32_t r = 0;
  for (int b = 0; b < bits; ++b) r |= ((x >> b) & 1) << (bits - 1 - b);
  return r;
}

// Bytes that a column takes; checks that it comes back.
std::size_t stored(const std::vector<std::uint32_t>& values, const FormulaSources& sources) {
  ByteWriter out;
  write_numbers(out, values, sources);
  const auto bytes = out.take();
  ByteReader in(bytes);
  std::vector<std::uint32_t> back;
  read_numbers(in, sources, back);
  CHECK(in.at_end());
  CHECK(back == values);
  return bytes.size();
}

}  // namespace

TEST_CASE("the indices of the transforms are formulas") {
  constexpr std::uint32_t count = 4096;
  FormulaSources sources;
  sources.count = count;
  const auto item = column(count, [](std::uint32_t i) { return 65536 + i; });
  sources.columns.push_back(item.data());
  const auto check = [&](const char* what, const std::function<std::uint32_t(std::uint32_t)>& index,
                         std::size_t bytes = 100) {
    INFO(what);
    CHECK(stored(column(count, [&](std::uint32_t i) { return index(item[i]); }), sources) < bytes);
  };
  check(
      "constant", [](std::uint32_t) { return 7u; }, 10);
  check(
      "item", [](std::uint32_t g) { return g; }, 10);
  check(
      "backwards", [](std::uint32_t g) { return 200000 - 3 * g; }, 20);
  check("first of a pair", [](std::uint32_t g) { return g / 64 * 128 + g % 64; });
  check("second of a pair", [](std::uint32_t g) { return g / 64 * 128 + g % 64 + 64; });
  check("bit reversal", [](std::uint32_t g) { return reversed(g, 17); });
  check("digit reversal", [](std::uint32_t g) {
    std::uint32_t r = 0;
    for (int d = 0; d < 9; ++d, g >>= 2) r = r << 2 | (g & 3);
    return r;
  });
  check("transposition", [](std::uint32_t g) { return (g & 255) << 9 | g >> 8; });
  check("Stockham's order", [](std::uint32_t g) { return g / 32 * 64 + g % 32; });
}

TEST_CASE("a formula may start from another column, and may have exceptions") {
  constexpr std::uint32_t count = 1000;
  std::mt19937 random(3);
  const auto first = column(count, [&](std::uint32_t) { return static_cast<std::uint32_t>(random() % 5000); });
  FormulaSources sources;
  sources.count = count;
  sources.columns.push_back(first.data());
  CHECK(stored(column(count, [&](std::uint32_t i) { return first[i] + 512; }), sources) < 12);
  CHECK(stored(column(count, [&](std::uint32_t i) { return reversed(first[i], 13); }), sources) < 60);
  auto exceptional = column(count, [&](std::uint32_t i) { return 2 * first[i]; });
  for (std::uint32_t i = 5; i < count; i += 97) exceptional[i] = 9;
  stored(exceptional, sources);
  for (std::uint32_t n : {1u, 2u, 3u, 5u}) {
    FormulaSources few;
    few.count = n;
    stored(column(n, [&](std::uint32_t) { return static_cast<std::uint32_t>(random()); }), few);
  }
  stored(first, FormulaSources{count, {nullptr}});
}

TEST_CASE("any linear map over bits is found again") {
  std::mt19937 random(4);
  for (int attempt = 0; attempt < 50; ++attempt) {
    std::array<std::uint32_t, 32> bits;
    for (std::uint32_t& word : bits) word = static_cast<std::uint32_t>(random());
    const std::uint32_t base = static_cast<std::uint32_t>(random()), count = 700;
    const auto x = column(count, [&](std::uint32_t) { return static_cast<std::uint32_t>(random()); });
    const auto values = column(count, [&](std::uint32_t i) {
      std::uint32_t value = base;
      for (int b = 0; b < 32; ++b) value ^= (x[i] >> b) & 1 ? bits[b] : 0;
      return value;
    });
    FormulaSources sources{count, {nullptr, x.data()}};
    const auto rows = sample_rows(count);
    std::vector<std::uint32_t> samples;
    for (const std::uint32_t row : rows) samples.push_back(values[row]);
    const auto formula = fit_formula(rows, samples, sources);
    REQUIRE(formula);
    CHECK(formula->kind == Formula::Kind::Bits);
    CHECK(formula->base == base);
    CHECK(formula->bits == bits);
    std::vector<std::uint32_t> evaluated(count);
    FormulaValues(*formula, sources).get(0, count, evaluated.data());
    CHECK(evaluated == values);
    // In pieces, too.
    std::vector<std::uint32_t> piece(100);
    FormulaValues(*formula, sources).get(333, 100, piece.data());
    CHECK(std::equal(piece.begin(), piece.end(), values.begin() + 333));
  }
}

TEST_CASE("products modulo a power of two are found") {
  const std::uint32_t n = 64, count = n * n;
  const auto k = column(count, [&](std::uint32_t i) { return i / n; }),
             j = column(count, [&](std::uint32_t i) { return i % n; });
  FormulaSources sources{count, {nullptr, k.data(), j.data()}};
  const auto rows = sample_rows(count);
  std::vector<std::uint32_t> samples;
  for (const std::uint32_t row : rows) samples.push_back(k[row] * j[row] % n);
  const auto formula = fit_product(rows, samples, sources, n);
  REQUIRE(formula);
  CHECK(!fit_product(rows, samples, sources, 4 * n));
  ByteWriter out;
  write_formula(out, *formula);
  const auto bytes = out.take();
  ByteReader in(bytes);
  CHECK(read_formula(in, 3) == *formula);
  ByteReader fewer(bytes);
  CHECK_THROWS_AS(read_formula(fewer, 2), const Error&);
}
