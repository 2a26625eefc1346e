#include "viewer/words/twiddle_name.h"

#include <doctest.h>

#include <cmath>
#include <limits>
#include <numbers>

using namespace twiddle;

namespace {

std::complex<double> root(double k, double n) { return std::polar(1.0, -2 * std::numbers::pi * k / n); }

}  // namespace

TEST_CASE("twiddles of small transforms have the names of the textbook") {
  struct {
    int k, n;
    const char* value;
    double degrees;
  } known[] = {{0, 2, "1", 0},
               {1, 4, "−i", -90},
               {2, 4, "−1", -180},
               {1, 8, "(1 − i)/√2", -45},
               {3, 8, "(−1 − i)/√2", -135},
               {1, 12, "(√3 − i)/2", -30},
               {3, 16, "e^(−3πi/8)", -67.5},
               {1, 16, "e^(−πi/8)", -22.5}};
  for (const auto& [k, n, value, degrees] : known) {
    CAPTURE(value);
    const TwiddleName name = name_twiddle(root(k, n), static_cast<std::uint64_t>(n));
    CHECK(name.is_power);
    CHECK(name.exact);
    CHECK(name.exponent == k);
    CHECK(name.value == value);
    CHECK(name.degrees == doctest::Approx(degrees));
  }
}

TEST_CASE("every root is recognised, rounded to float, in both directions") {
  for (int n : {1, 2, 3, 8, 12, 64, 1 << 20})
    for (int k = 0; 2 * k < n; k += std::max(1, n / 64))
      for (int sign : {-1, 1}) {
        CAPTURE(n);
        CAPTURE(k);
        const auto w = root(-sign * k, n);
        const std::complex<double> rounded(static_cast<float>(w.real()), static_cast<float>(w.imag()));
        const TwiddleName name = name_twiddle(rounded, static_cast<std::uint64_t>(n), sign);
        CHECK(name.is_power);
        CHECK(name.exact);
        CHECK(name.exponent == -sign * k);
      }
}

TEST_CASE("a conjugate twiddle has a negative exponent, and minus one goes with the sign") {
  CHECK(name_twiddle({0, 1}, 4, 1).exponent == -1);
  CHECK(name_twiddle({0, 1}, 4, 1).value == "i");
  CHECK(name_twiddle({-1, 0}, 4, 1).exponent == -2);
  CHECK(name_twiddle({-1, 0}, 4, -1).exponent == 2);
}

TEST_CASE("a twiddle that is off is not called exact, or not called a power at all") {
  const TwiddleName native = name_twiddle({0.707110, -0.707110}, 8);  // the published run's native trigonometry
  CHECK(native.is_power);
  CHECK_FALSE(native.exact);
  CHECK_FALSE(name_twiddle({0.5, -0.5}, 8).is_power);
  CHECK_FALSE(name_twiddle(root(0.5, 8), 8).is_power);
  CHECK_FALSE(name_twiddle({std::numeric_limits<double>::quiet_NaN(), 0}, 8).is_power);
  CHECK_FALSE(name_twiddle({std::numeric_limits<double>::infinity(), 0}, 8).is_power);
  CHECK_FALSE(name_twiddle({0, 0}, 8).is_power);
}

TEST_CASE("numbers as the panels write them") {
  CHECK(degrees_text(-22.5) == "−22.5°");
  CHECK(degrees_text(-0.000343322754) == "−0.0003433°");
  CHECK(number_text(-0.0) == "0");
  CHECK(number_text(-5.46923) == "−5.469");
  CHECK(number_text(1.5e-7) == "1.5e−7");
  CHECK(count_text(999) == "999");
  CHECK(count_text(5973) == "5\u2009973");
  CHECK(count_text(10485760) == "10\u2009485\u2009760");
  CHECK(plural(1, "{} item", "{} items") == "1 item");
  CHECK(plural(0, "{} item", "{} items") == "0 items");
}
