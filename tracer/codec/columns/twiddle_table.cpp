#include "tracer/codec/columns/twiddle_table.h"

#include <cassert>
#include <cmath>
#include <cstring>

namespace twiddle {
namespace {

// A number as the unevaluated sum of two doubles: about 32 decimal digits (Dekker 1971).
struct Twofold {
  double high, low;
};

Twofold exact_sum(double a, double b) {
  const double sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

Twofold exact_product(double a, double b) {
  constexpr double splitter = 134217729.0;  // 2^27 + 1
  const double product = a * b;
  const double ta = splitter * a, ah = ta - (ta - a), al = a - ah;
  const double tb = splitter * b, bh = tb - (tb - b), bl = b - bh;
  return {product, ((ah * bh - product) + ah * bl + al * bh) + al * bl};
}

Twofold add(const Twofold& a, const Twofold& b) {
  const Twofold sum = exact_sum(a.high, b.high);
  return exact_sum(sum.high, sum.low + (a.low + b.low));
}

Twofold subtract(const Twofold& a, const Twofold& b) { return add(a, {-b.high, -b.low}); }

Twofold multiply(const Twofold& a, const Twofold& b) {
  const Twofold product = exact_product(a.high, b.high);
  return exact_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

Twofold divide(const Twofold& a, const Twofold& b) {
  const double first = a.high / b.high;
  const Twofold rest = subtract(a, multiply(b, {first, 0}));
  return exact_sum(first, rest.high / b.high);
}

Twofold square_root(const Twofold& a) {
  const double first = std::sqrt(a.high);
  const Twofold rest = subtract(a, exact_product(first, first));
  return exact_sum(first, rest.high / (2 * first));
}

struct Point {
  Twofold cosine, sine;
};

Point multiply(const Point& a, const Point& b) {
  return {subtract(multiply(a.cosine, b.cosine), multiply(a.sine, b.sine)),
          add(multiply(a.cosine, b.sine), multiply(a.sine, b.cosine))};
}

// The point at 1/2^k of a turn, for k = 2 … log2_order, by halving a quarter turn.
std::vector<Point> halved(unsigned log2_order) {
  std::vector<Point> points(std::max(log2_order, 2u) + 1, Point{{0, 0}, {1, 0}});
  for (unsigned k = 3; k <= log2_order; ++k) {
    const Point& twice = points[k - 1];
    const Twofold cosine = square_root(multiply(add({1, 0}, twice.cosine), {0.5, 0}));
    points[k] = {cosine, divide(multiply(twice.sine, {0.5, 0}), cosine)};
  }
  return points;
}

// Points at i/2^log2_order of a turn for i = 0 … 2^bits − 1: each is an earlier one times the point of its highest bit.
std::vector<Point> arc(const std::vector<Point>& halves, unsigned log2_order, unsigned bits) {
  std::vector<Point> points{{{1, 0}, {0, 0}}};
  for (unsigned bit = 0; bit < bits; ++bit)
    for (std::size_t i = 0; i < std::size_t(1) << bit; ++i)
      points.push_back(multiply(points[i], halves[log2_order - bit]));
  return points;
}

}  // namespace

std::vector<double> half_circle(unsigned log2_order) {
  assert(log2_order >= 1 && log2_order <= TwiddleTables::max_log2_order);
  const std::size_t half = std::size_t(1) << (log2_order - 1), quarter = half / 2, eighth = quarter / 2;
  std::vector<double> circle(2 * half);
  const auto put = [&](std::size_t j, double cosine, double sine) {
    circle[2 * j] = cosine;
    circle[2 * j + 1] = -sine;
  };
  put(0, 1, 0);
  if (log2_order >= 2) put(quarter, 0, 1);
  if (log2_order < 3) return circle;

  // The first eighth is computed, as coarse point times fine point; the others are its mirror images.
  const std::vector<Point> halves = halved(log2_order);
  const unsigned fine_bits = (log2_order - 2) / 2, coarse_bits = log2_order - 2 - fine_bits;
  const std::vector<Point> fine = arc(halves, log2_order, fine_bits),
                           coarse = arc(halves, log2_order - fine_bits, coarse_bits);
  for (std::size_t j = 1; j <= eighth; ++j) {
    const Point point = multiply(coarse[j >> fine_bits], fine[j & (fine.size() - 1)]);
    const double cosine = point.cosine.high, sine = j == eighth ? cosine : point.sine.high;
    put(j, cosine, sine);
    put(quarter - j, sine, cosine);
    put(quarter + j, -sine, cosine);
    put(half - j, -cosine, sine);
  }
  return circle;
}

namespace {

// The sign bits of both parts of an element, in each 64-bit half of it.
template <typename Word>
struct ComplexWords {
  Word real, imaginary;
};

template <typename Word>
constexpr Word sign_bit = Word(1) << (8 * sizeof(Word) - 1);

// What turns entry `index mod half` of a table into root `index`: the lower half circle is minus the upper one.
template <typename Word>
ComplexWords<Word> turned(const ComplexWords<Word>& entry, bool lower, Word conjugate) {
  const Word minus = lower ? sign_bit<Word> : 0;
  return {static_cast<Word>(entry.real ^ minus), static_cast<Word>(entry.imaginary ^ minus ^ conjugate)};
}

// Calls each(entry's place, row's place, turn) for the rows of a column, with places in bytes; `turn` is its own inverse.
template <typename Word, typename Each>
void for_roots(const TwiddleTables::Roots& roots, std::span<const std::uint32_t> index, const Each& each) {
  using Entry = ComplexWords<Word>;
  const std::uint32_t half = 1u << (roots.log2_order - 1);
  const Word flip = roots.conjugate ? sign_bit<Word> : 0;
  for (std::size_t i = 0; i < index.size(); ++i)
    each(std::size_t(index[i] & (half - 1)) * sizeof(Entry), i * sizeof(Entry),
         [&](const std::byte* from, std::byte* to) {
           Entry entry;
           std::memcpy(&entry, from, sizeof entry);
           entry = turned(entry, (index[i] & half) != 0, flip);
           std::memcpy(to, &entry, sizeof entry);
         });
}

template <typename Each>
void for_roots(const TwiddleTables::Roots& roots, std::span<const std::uint32_t> index, const Each& each) {
  roots.wide ? for_roots<std::uint64_t>(roots, index, each) : for_roots<std::uint32_t>(roots, index, each);
}

}  // namespace

std::shared_ptr<TwiddleTables::Table>& TwiddleTables::table(const Key& key) {
  std::shared_ptr<Table>& found = tables_[key];
  if (found) return found;
  const auto [wide, log2_order] = key;
  const std::vector<double> circle = half_circle(log2_order);
  found = std::make_shared<Table>(circle.size() * (wide ? sizeof(double) : sizeof(float)));
  for (std::size_t i = 0; i < circle.size(); ++i) {
    const auto narrow = static_cast<float>(circle[i]);
    if (wide)
      std::memcpy(found->data() + i * sizeof(double), &circle[i], sizeof(double));
    else
      std::memcpy(found->data() + i * sizeof(float), &narrow, sizeof(float));
  }
  // What was learnt of the coarser roots holds here too.
  const auto coarser = tables_.find({wide, log2_order - 1});
  if (coarser != tables_.end() && coarser->second) {
    const std::size_t element = 2 * (wide ? sizeof(double) : sizeof(float));
    for (std::size_t at = 0; at < coarser->second->size(); at += element)
      std::memcpy(found->data() + 2 * at, coarser->second->data() + at, element);
  }
  return found;
}

void TwiddleTables::predict(const Roots& roots, std::span<const std::uint32_t> index, std::byte* out) {
  const std::byte* const entries = table({roots.wide, roots.log2_order})->data();
  for_roots(roots, index, [&](std::size_t entry, std::size_t row, auto turn) { turn(entries + entry, out + row); });
}

void TwiddleTables::learn(const Roots& roots, std::span<const std::uint32_t> index, const std::byte* actual) {
  std::shared_ptr<Table>& table_here = table({roots.wide, roots.log2_order});
  if (table_here.use_count() > 1) table_here = std::make_shared<Table>(*table_here);
  std::byte* const entries = table_here->data();
  for_roots(roots, index, [&](std::size_t entry, std::size_t row, auto turn) { turn(actual + row, entries + entry); });
}

std::size_t TwiddleTables::bytes_not_shared_with(const TwiddleTables& other) const {
  std::size_t sum = 0;
  for (const auto& [key, entries] : tables_) {
    const auto theirs = other.tables_.find(key);
    if (entries && (theirs == other.tables_.end() || theirs->second != entries)) sum += entries->size();
  }
  return sum;
}

}  // namespace twiddle
