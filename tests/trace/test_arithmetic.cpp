#include "tracer/codec/columns/arithmetic.h"

#include <doctest.h>
#include <fftw3.h>

#include <bit>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

using namespace twiddle;

namespace {

// One operation as defined: each product and each sum rounded where the variant says so. Volatile keeps the compiler from
// doing anything of its own.
template <typename T>
T rounded(T x) {
  volatile T settled = x;
  return settled;
}

template <typename T>
struct Pair {
  T x, y;
};

template <typename T>
Pair<T> product(int real, int imaginary, Pair<T> w, Pair<T> b) {
  const T xx = rounded<T>(w.x * b.x), yy = rounded<T>(w.y * b.y), xy = rounded<T>(w.x * b.y),
          yx = rounded<T>(w.y * b.x);
  return {real == 0   ? rounded<T>(xx - yy)
          : real == 1 ? std::fma(w.x, b.x, -yy)
                      : std::fma(-w.y, b.y, xx),
          imaginary == 0   ? rounded<T>(xy + yx)
          : imaginary == 1 ? std::fma(w.x, b.y, yx)
                           : std::fma(w.y, b.x, xy)};
}

template <typename T>
Pair<T> accumulated(int order, Pair<T> a, Pair<T> w, Pair<T> b) {
  if (order == 0)
    return {rounded<T>(rounded<T>(a.x + rounded<T>(w.x * b.x)) - rounded<T>(w.y * b.y)),
            rounded<T>(rounded<T>(a.y + rounded<T>(w.x * b.y)) + rounded<T>(w.y * b.x))};
  if (order == 1) return {std::fma(-w.y, b.y, std::fma(w.x, b.x, a.x)), std::fma(w.y, b.x, std::fma(w.x, b.y, a.y))};
  return {std::fma(w.x, b.x, std::fma(-w.y, b.y, a.x)), std::fma(w.x, b.y, std::fma(w.y, b.x, a.y))};
}

template <typename T>
Pair<T> operator+(Pair<T> a, Pair<T> b) {
  return {rounded<T>(a.x + b.x), rounded<T>(a.y + b.y)};
}
template <typename T>
Pair<T> operator-(Pair<T> a, Pair<T> b) {
  return {rounded<T>(a.x - b.x), rounded<T>(a.y - b.y)};
}
template <typename T>
Pair<T> halved(Pair<T> a) {
  return {rounded<T>(a.x / 2), rounded<T>(a.y / 2)};
}

template <typename T>
struct One {
  Pair<T> w[3], in[4], out[4];
};

template <typename T>
void reference(Shape shape, int variant, One<T>& o) {
  const auto split = [](int v) { return std::pair(v / 3, v % 3); };
  const Pair<T>*w = o.w, *in = o.in;
  switch (shape) {
    case Shape::Butterfly2: {
      if (variant >= 10 && variant < 19) {
        const auto [real, imaginary] = split(variant - 10);
        o.out[0] = in[0] + in[1];
        o.out[1] = product(real, imaginary, w[0], in[0] - in[1]);
      } else if (variant >= 19) {
        o.out[0] = accumulated(variant - 19, in[0], w[0], in[1]);
        o.out[1] = accumulated(variant - 19, in[0], {-w[0].x, -w[0].y}, in[1]);
      } else {
        const auto [real, imaginary] = split(variant - 1);
        const Pair<T> t = variant == 0 ? in[1] : product(real, imaginary, w[0], in[1]);
        o.out[0] = in[0] + t;
        o.out[1] = in[0] - t;
      }
      return;
    }
    case Shape::Butterfly4: {
      const auto [real, imaginary] = split(variant % 9);
      const T sign = variant < 9 ? -1 : 1;
      const Pair<T> b = product(real, imaginary, w[0], in[1]), g = product(real, imaginary, w[1], in[2]),
                    d = product(real, imaginary, w[2], in[3]), t = b - d, turned = {-sign * t.y, sign * t.x};
      o.out[0] = (in[0] + g) + (b + d);
      o.out[1] = (in[0] - g) + turned;
      o.out[2] = (in[0] + g) - (b + d);
      o.out[3] = (in[0] - g) - turned;
      return;
    }
    case Shape::Pack: {
      const auto [real, imaginary] = split(variant % 9);
      const Pair<T> z = {in[1].x, -in[1].y}, e = halved(in[0] + z), d = halved(in[0] - z);
      const Pair<T> t = product(real, imaginary, w[0], Pair<T>{d.y, -d.x}), other = e - t;
      o.out[0] = e + t;
      o.out[1] = variant < 9 ? Pair<T>{other.x, -other.y} : other;
      return;
    }
    case Shape::Scale: {
      const auto [real, imaginary] = split(variant - 1);
      o.out[0] = variant == 0 ? Pair<T>{rounded<T>(in[0].x * w[0].x), rounded<T>(in[0].y * w[0].x)}
                              : product(real, imaginary, w[0], in[0]);
      return;
    }
    case Shape::Term: {
      const auto [real, imaginary] = split(variant);
      o.out[0] =
          variant < 9 ? w[1] + product(real, imaginary, w[0], in[0]) : accumulated(variant - 9, w[1], w[0], in[0]);
      return;
    }
    case Shape::Combine: o.out[0] = in[0] + in[1]; return;
    case Shape::Atomic: o.out[0] = in[0] + w[0]; return;
    default: FAIL("no such shape here");
  }
}

// Numbers of every size, and now and then the special ones.
template <typename T>
T number(std::mt19937_64& random) {
  const T special[] = {0,
                       -T(0),
                       1,
                       -1,
                       std::numeric_limits<T>::infinity(),
                       std::numeric_limits<T>::denorm_min(),
                       std::numeric_limits<T>::max(),
                       std::numeric_limits<T>::quiet_NaN(),
                       T(0.1)};
  if (random() % 16 == 0) return special[random() % std::size(special)];
  const T size = std::ldexp(T(1), static_cast<int>(random() % 20) - 10);
  return (static_cast<T>(random() % 16777216) / T(8388608) - 1) * size;
}

template <typename T>
bool same_bits(T x, T y) {
  if (std::isnan(x) && std::isnan(y)) y = std::numeric_limits<T>::quiet_NaN();  // one NaN stands for all …
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  return std::bit_cast<Bits>(x) == std::bit_cast<Bits>(y);  // … and it is this very one
}

template <typename T>
void check(Shape shape, ElementType type, int variants) {
  const ArithmeticType what{shape, type, type};
  REQUIRE(variant_count(what) == variants);
  constexpr std::size_t count = 1003;  // whole vectors and a rest
  std::mt19937_64 random(5);
  std::vector<One<T>> operations(count);
  std::vector<Pair<T>> w[3], in[4], out[4];
  for (One<T>& o : operations) {
    for (auto& value : o.w) value = {number<T>(random), number<T>(random)};
    for (auto& value : o.in) value = {number<T>(random), number<T>(random)};
    for (std::size_t i = 0; i < 3; ++i) w[i].push_back(o.w[i]);
    for (std::size_t i = 0; i < 4; ++i) in[i].push_back(o.in[i]);
  }
  ArithmeticColumns columns;
  columns.count = count;
  for (std::size_t i = 0; i < 3; ++i) columns.coefficients[i] = reinterpret_cast<const std::byte*>(w[i].data());
  for (std::size_t i = 0; i < 4; ++i) {
    out[i].resize(count);
    columns.reads[i] = reinterpret_cast<const std::byte*>(in[i].data());
    columns.writes[i] = reinterpret_cast<std::byte*>(out[i].data());
  }
  const int outputs = shape == Shape::Term ? 1 : traits(shape).writes;
  for (int variant = 0; variant < variants; ++variant) {
    INFO("shape " << static_cast<int>(shape) << " variant " << variant);
    compute_writes(what, variant, columns);
    for (std::size_t i = 0; i < count; ++i) {
      reference(shape, variant, operations[i]);
      for (int output = 0; output < outputs; ++output) {
        const Pair<T> expected = operations[i].out[output], got = out[output][i];
        REQUIRE(same_bits(got.x, expected.x));
        REQUIRE(same_bits(got.y, expected.y));
      }
    }
  }
}

template <typename T>
void check_all(ElementType type) {
  check<T>(Shape::Butterfly2, type, 22);
  check<T>(Shape::Butterfly4, type, 18);
  check<T>(Shape::Pack, type, 18);
  check<T>(Shape::Scale, type, 10);
  check<T>(Shape::Term, type, 12);
  check<T>(Shape::Combine, type, 1);
  check<T>(Shape::Atomic, type, 1);
}

}  // namespace

TEST_CASE("every variant rounds exactly where it says, in vectors and out of them") {
  check_all<float>(ElementType::Float2);
  check_all<double>(ElementType::Double2);
}

TEST_CASE("integers wrap around, and real factors scale both parts") {
  const std::int32_t a[2] = {std::numeric_limits<std::int32_t>::max(), 5}, b[2] = {1, -7};
  std::int32_t sums[2] = {};
  ArithmeticColumns columns;
  columns.count = 2;
  columns.reads = {reinterpret_cast<const std::byte*>(a), reinterpret_cast<const std::byte*>(b)};
  columns.writes[0] = reinterpret_cast<std::byte*>(sums);
  compute_writes({Shape::Combine, ElementType::Int, ElementType::Int}, 0, columns);
  CHECK(sums[0] == std::numeric_limits<std::int32_t>::min());
  CHECK(sums[1] == -2);

  const float x[4] = {1, 2, 3, -4}, factor[2] = {0.5f, 0.25f};
  float scaled[4] = {};
  columns.reads[0] = reinterpret_cast<const std::byte*>(x);
  columns.coefficients[0] = reinterpret_cast<const std::byte*>(factor);
  columns.writes[0] = reinterpret_cast<std::byte*>(scaled);
  compute_writes({Shape::Scale, ElementType::Float2, ElementType::Float}, 0, columns);
  CHECK(scaled[0] == 0.5f);
  CHECK(scaled[1] == 1.0f);
  CHECK(scaled[2] == 0.75f);
  CHECK(scaled[3] == -1.0f);
  CHECK(variant_count({Shape::Scale, ElementType::Float2, ElementType::Double}) == 0);
  CHECK(variant_count({Shape::Butterfly2, ElementType::Int2, ElementType::Int2}) == 0);
  CHECK(variant_count({Shape::Store, ElementType::Float2, ElementType::Float2}) == 0);
}

TEST_CASE("butterflies of any radix are the transform, with the factors on either side") {
  std::mt19937_64 random(9);
  const auto part = [&] { return static_cast<float>(random() % 2001) / 1000.0f - 1; };
  for (int radix = 2; radix <= max_legs; ++radix)
    for (const bool behind : {false, true})
      for (const bool inverse : {false, true}) {
        CAPTURE(radix);
        std::vector<Pair<float>> w, in, out(static_cast<std::size_t>(radix));
        ArithmeticColumns columns;
        columns.count = 1;
        for (int q = 0; q < radix; ++q) w.push_back({part(), part()}), in.push_back({part(), part()});
        for (int q = 0; q < radix; ++q) {
          columns.coefficients[q] = reinterpret_cast<const std::byte*>(&w[q]);
          columns.reads[q] = reinterpret_cast<const std::byte*>(&in[q]);
          columns.writes[q] = reinterpret_cast<std::byte*>(&out[q]);
        }
        const Shape shape = shape_with({radix, behind, inverse});
        REQUIRE(legs_of(shape).radix == radix);
        compute_writes({shape, ElementType::Float2, ElementType::Float2}, 0, columns);
        fftw_complex *x = fftw_alloc_complex(radix), *y = fftw_alloc_complex(radix);
        const fftw_plan plan = fftw_plan_dft_1d(radix, x, y, inverse ? FFTW_BACKWARD : FFTW_FORWARD, FFTW_ESTIMATE);
        const auto number = [](const Pair<float>& p) { return std::complex<double>(p.x, p.y); };
        for (int q = 0; q < radix; ++q) {
          const std::complex<double> value = behind ? number(in[q]) : number(in[q]) * number(w[q]);
          x[q][0] = value.real(), x[q][1] = value.imag();
        }
        fftw_execute(plan);
        for (int p = 0; p < radix; ++p) {
          const std::complex<double> value = std::complex<double>(y[p][0], y[p][1]) * (behind ? number(w[p]) : 1.0);
          CHECK(std::abs(value - number(out[p])) < 1e-6 * radix);
        }
        fftw_destroy_plan(plan);
        fftw_free(x), fftw_free(y);
      }
}
