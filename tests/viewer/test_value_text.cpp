#include "viewer/words/value_text.h"

#include <doctest.h>

#include <cmath>
#include <limits>
#include <numbers>

using namespace twiddle;

namespace {

Value complex(float re, float im) {
  Value value{ElementType::Float2};
  const float parts[] = {re, im};
  std::memcpy(value.bits.data(), parts, sizeof parts);
  return value;
}

Value real(float x) {
  Value value{ElementType::Float};
  std::memcpy(value.bits.data(), &x, sizeof x);
  return value;
}

Value whole(std::int32_t x) {
  Value value{ElementType::Int};
  std::memcpy(value.bits.data(), &x, sizeof x);
  return value;
}

Value turn(double k, double points) {
  const double angle = -2 * std::numbers::pi * k / points;
  return complex(static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle)));
}

}  // namespace

TEST_CASE("values are short, with a true minus sign") {
  CHECK(value_text(complex(-4, 4)) == "(−4, 4)");
  CHECK(value_text(complex(-4, 9.656854f)) == "(−4, 9.657)");
  CHECK(value_text(complex(-4, 9.656854f), 2) == "(−4, 9.7)");
  CHECK(value_text(complex(-3.999999f, -4.000001f)) == "(−4, −4)");
  CHECK(value_text(complex(-4, 2e-7f)) == "(−4, 0)");   // less than the digits shown of the larger part
  CHECK(value_text(complex(-4, -2e-7f)) == "(−4, 0)");  // and no minus zero
  CHECK(value_text(complex(0, 0)) == "(0, 0)");
  CHECK(value_text(complex(2e-7f, 0)) == "(2e−7, 0)");
  CHECK(value_text(complex(-0.451309f, 0.2291f)) == "(−0.4513, 0.2291)");
  CHECK(value_text(complex(523776, -1024)) == "(5.238e5, −1e3)");
  CHECK(value_text(real(28)) == "28");
  CHECK(value_text(real(12345)) == "12345");
  CHECK(value_text(whole(-2147483647)) == "−2147483647");
  CHECK(value_text(complex(std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity())) ==
        "(NaN, −∞)");
  CHECK(full_value_text(complex(0.1f, -0.70710677f)) == "(0.1, −0.70710677)");
}

TEST_CASE("what is 0 beside a larger component is so in however many digits") {
  CHECK(value_text(std::complex<double>(16, -5.96e-8)) == "(16, 0)");
  for (const int digits : {1, 2, 3, 4}) {
    CHECK(value_text(complex(16, -5.96e-8f), digits) == "(16, 0)");
    CHECK(value_text(complex(-170000, -2), digits).ends_with(", 0)"));
  }
  CHECK(value_text(complex(-170000, -500)) == "(−1.7e5, −5e2)");
  CHECK(value_text(complex(-170000, -500), 2) == "(−1.7e5, −5e2)");
  CHECK(value_text(complex(-170000, -500), 1) == "(−2e5, −5e2)");
  CHECK(value_text(complex(12.34f, 0.0416f)) == "(12.34, 0.04)");
  CHECK(value_text(complex(12.34f, 0.0416f), 3) == "(12.3, 0.04)");
  CHECK(value_text(complex(12.34f, 0.0416f), 1) == "(12, 0.04)");
  CHECK(value_text(complex(12.34f, 0.004f), 1) == "(12, 0)");
  CHECK(value_text(complex(-4, -0.06f), 1) == "(−4, −0.06)");
}

TEST_CASE("a value takes as many digits as fit, and is left out rather than cut") {
  const Font font{Face::Mono, Weight::Regular, 14};
  const Value value = complex(-0.451309f, 0.2291f);
  const float letter = text_width(font, "0");
  CHECK(fitting_value_text(font, value, 4, 17.5f * letter) == "(−0.4513, 0.2291)");
  CHECK(fitting_value_text(font, value, 4, 15.5f * letter) == "(−0.451, 0.229)");
  CHECK(fitting_value_text(font, value, 4, 13.5f * letter) == "(−0.45, 0.23)");
  CHECK(fitting_value_text(font, value, 4, 12.5f * letter) == "(−0.5, 0.2)");
  CHECK(fitting_value_text(font, value, 4, 10.5f * letter) == "");
  // A part that has more letters than it is worth, and is no zero.
  const Value lean = complex(-0.383988f, 0.000136f);
  CHECK(fitting_value_text(font, lean, 4, 17.5f * letter) == "(−0.384, 0.0001)");
  CHECK(fitting_value_text(font, lean, 4, 12.5f * letter) == "(−0.384, ≈0)");
  CHECK(fitting_value_text(font, lean, 4, 10.5f * letter) == "(−0.4, ≈0)");
  CHECK(fitting_value_text(font, lean, 4, 9.5f * letter) == "");
}

TEST_CASE("twiddles are recognised, in either direction, and nothing else is") {
  for (const std::uint64_t span : {2u, 8u, 1024u, 1u << 20}) {
    for (const std::uint64_t k : {std::uint64_t(0), std::uint64_t(1), span / 2 - 1, span / 2, span - 1}) {
      const Value w = turn(static_cast<double>(k), static_cast<double>(span));
      CAPTURE(span);
      CAPTURE(k);
      CHECK(twiddle_exponent(w, span, -1) == static_cast<std::int64_t>(k));
      CHECK(twiddle_exponent(w, span, +1) ==
            static_cast<std::int64_t>(k) - static_cast<std::int64_t>(k == 0 ? 0 : span));
    }
  }
  CHECK(twiddle_exponent(complex(0.70711f, -0.70711f), 8, -1) == 1);  // native trigonometry
  CHECK_FALSE(twiddle_exponent(turn(0.5, 8), 8, -1));
  CHECK_FALSE(twiddle_exponent(complex(0.9f, 0), 8, -1));
  CHECK_FALSE(twiddle_exponent(complex(1, 0), 0, -1));
  CHECK_FALSE(twiddle_exponent(real(1), 8, -1));
}

TEST_CASE("counts, binary indices and factors") {
  CHECK(binary_text(4, 3) == "100");
  CHECK(binary_text(5, 6) == "000101");
  CHECK(grouped(999, ",") == "999");
  CHECK(grouped(1048576, ",") == "1,048,576");
  CHECK(count_text(1048576) == "1\u2009048\u2009576");
  CHECK(factor_text(real(0.125f)) == "1/8");
  CHECK(factor_text(real(1.0f / 1000)) == "1/1000");
  CHECK(factor_text(real(2.5f)) == "2.5");
}
