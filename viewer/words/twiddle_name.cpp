#include "viewer/words/twiddle_name.h"

#include "base/tr.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string_view>

namespace twiddle {
namespace {

/// e^(−2πi·p/q), p/q in lowest terms, 0 ≤ p < q.
std::string root_text(std::int64_t p, std::int64_t q) {
  struct Known {
    int p, q;
    std::string_view text;
  };
  static constexpr std::array<Known, 16> known = {{
      {0, 1, "1"},
      {1, 2, "−1"},
      {1, 4, "−i"},
      {3, 4, "i"},
      {1, 8, "(1 − i)/√2"},
      {3, 8, "(−1 − i)/√2"},
      {5, 8, "(−1 + i)/√2"},
      {7, 8, "(1 + i)/√2"},
      {1, 3, "(−1 − i√3)/2"},
      {2, 3, "(−1 + i√3)/2"},
      {1, 6, "(1 − i√3)/2"},
      {5, 6, "(1 + i√3)/2"},
      {1, 12, "(√3 − i)/2"},
      {5, 12, "(−√3 − i)/2"},
      {7, 12, "(−√3 + i)/2"},
      {11, 12, "(√3 + i)/2"},
  }};
  for (const Known& one : known)
    if (one.p == p && one.q == q) return std::string(one.text);
  // The angle as a fraction of π, between −π and π.
  std::int64_t over = 2 * p, under = q;
  if (over > under) over -= 2 * under;
  const std::int64_t common = std::gcd(over, under);
  over /= common, under /= common;
  const std::string sign = over > 0 ? "−" : "";
  const std::int64_t size = std::abs(over);
  return fmt::format("e^({}{}πi/{})", sign, size == 1 ? "" : fmt::format("{}", size), under);
}

}  // namespace

TwiddleName name_twiddle(std::complex<double> w, std::uint64_t points, int sign) {
  TwiddleName name;
  name.points = std::clamp<std::uint64_t>(points, 1, std::uint64_t(1) << 40);
  name.magnitude = std::abs(w);
  name.degrees = std::arg(w) * 180 / std::numbers::pi;
  if (!std::isfinite(name.magnitude) || !std::isfinite(name.degrees)) {
    name.degrees = 0;
    return name;
  }
  const auto n = static_cast<std::int64_t>(name.points);
  const double turn = 2 * std::numbers::pi / static_cast<double>(n);
  std::int64_t k = std::llround(-std::arg(w) / turn);
  if (2 * k == n || 2 * k == -n) k = sign < 0 ? n / 2 : -n / 2;

  const double off = std::abs(w - std::polar(1.0, -turn * static_cast<double>(k)));
  // Native trigonometry is off by up to 2^-11 or so; neighbouring roots must stay apart for every N.
  if (off > std::min(2e-3, 0.3 * turn)) return name;
  name.is_power = true;
  name.exact = off < 1.2e-7;
  name.exponent = k;
  const std::int64_t p = ((k % n) + n) % n, common = std::gcd(p, n);
  name.value = root_text(p / common, n / common);
  if (name.exact) name.degrees = -360.0 * static_cast<double>(k) / static_cast<double>(n);
  return name;
}

std::string degrees_text(double degrees) { return number_text(degrees, 4) + "°"; }

}  // namespace twiddle
