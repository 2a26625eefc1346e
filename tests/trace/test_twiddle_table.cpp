#include "tracer/codec/columns/twiddle_table.h"

#include <doctest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <numbers>

using namespace twiddle;

TEST_CASE("roots of unity are correctly rounded") {
  for (unsigned log2_order = 1; log2_order <= 14; ++log2_order) {
    const auto circle = half_circle(log2_order);
    const std::size_t half = circle.size() / 2;
    REQUIRE(half == std::size_t(1) << (log2_order - 1));
    int wrong = 0;
    for (std::size_t j = 0; j < half; ++j) {
      const long double angle =
          2 * std::numbers::pi_v<long double> * static_cast<long double>(j) / static_cast<long double>(2 * half);
      if (j * 4 == 2 * half) continue;  // a quarter turn: π is not exact, ours is
      wrong += circle[2 * j] != static_cast<double>(std::cos(angle));
      wrong += circle[2 * j + 1] != static_cast<double>(-std::sin(angle));
    }
    // long double rounds twice, and now and then wrongly.
    CHECK(wrong <= static_cast<int>(half / 256));
  }
}

TEST_CASE("roots of unity are symmetric and exact where they can be") {
  const auto circle = half_circle(10);
  const std::size_t quarter = 256;
  CHECK(circle[0] == 1);
  CHECK(circle[1] == 0);
  CHECK(circle[2 * quarter] == 0);
  CHECK(circle[2 * quarter + 1] == -1);
  CHECK(circle[quarter] == std::sqrt(0.5));
  CHECK(circle[quarter + 1] == -std::sqrt(0.5));
  for (std::size_t j = 1; j < quarter; ++j) {
    CHECK(circle[2 * j] == -circle[2 * (quarter - j) + 1]);  // cos x = sin(π/2 − x)
    CHECK(circle[2 * (2 * quarter - j)] == -circle[2 * j]);  // cos(π − x) = −cos x
    CHECK(circle[2 * (2 * quarter - j) + 1] == circle[2 * j + 1]);
  }
  // A root is the same number for every order that it is asked for by.
  const auto finer = half_circle(13);
  for (std::size_t j = 0; j < 512; ++j) {
    CHECK(finer[16 * j] == circle[2 * j]);
    CHECK(finer[16 * j + 1] == circle[2 * j + 1]);
  }
}

TEST_CASE("tables learn, and copies of them do not") {
  TwiddleTables tables;
  using Complex = std::array<float, 2>;
  const TwiddleTables::Roots roots{false, 3, false}, conjugate{false, 3, true}, finer{false, 4, false};
  const auto predict = [](TwiddleTables& from, const TwiddleTables::Roots& which, std::uint32_t index) {
    Complex value;
    from.predict(which, std::span(&index, 1), reinterpret_cast<std::byte*>(&value));
    return value;
  };
  CHECK(predict(tables, roots, 2) == Complex{0, -1});
  CHECK(predict(tables, roots, 6) == Complex{0, 1});  // the other half of the circle
  CHECK(predict(tables, conjugate, 2) == Complex{0, 1});
  CHECK(predict(tables, roots, 10) == predict(tables, roots, 2));  // modulo the order

  TwiddleTables copy = tables;
  CHECK(copy.bytes_not_shared_with(tables) == 0);
  const std::uint32_t index = 5;
  const Complex logged = {-0.75f, 0.5f};
  copy.learn(roots, std::span(&index, 1), reinterpret_cast<const std::byte*>(&logged));
  CHECK(predict(copy, roots, 5) == logged);
  CHECK(predict(copy, roots, 1) == Complex{0.75f, -0.5f});
  CHECK(predict(copy, conjugate, 1) == Complex{0.75f, 0.5f});
  CHECK(predict(copy, finer, 2) == Complex{0.75f, -0.5f});  // a finer table starts from what was learnt
  CHECK(predict(tables, roots, 5) != logged);
  CHECK(copy.bytes_not_shared_with(tables) > 0);
}
