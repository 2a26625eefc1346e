#include "viewer/words/value_text.h"

#include "viewer/words/twiddle_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace twiddle {

double magnitude(const Value& value) {
  double length = std::abs(value.component(0));
  for (int c = 1; c < traits(value.type).components; ++c) length = std::hypot(length, value.component(c));
  return length;
}

std::string fitting_value_text(const Font& font, const Value& value, int digits, float width) {
  for (int d = digits; d >= 1; --d) {
    std::string text = value_text(value, d);
    if (text_width(font, text) <= width) return text;
  }
  // A part that is small beside the other, and no zero, has the most letters: (−0.384, 0.0001).
  if (traits(value.type).components != 2) return {};
  const double largest = std::max(std::abs(value.component(0)), std::abs(value.component(1)));
  for (int d = digits; d >= 1; --d) {
    std::vector<std::string> parts = value_parts(value, d);
    for (int c = 0; c < 2; ++c)
      if (const double size = std::abs(value.component(c)); size > 0 && size < largest / 100) parts[c] = "≈0";
    std::string text = fmt::format("({}, {})", parts[0], parts[1]);
    if (text_width(font, text) <= width) return text;
  }
  return {};
}

std::string binary_text(std::uint64_t index, int bits) {
  std::string text(static_cast<std::size_t>(bits), '0');
  for (int i = 0; i < bits; ++i)
    if ((index >> i & 1) != 0) text[bits - 1 - i] = '1';
  return text;
}

std::optional<std::int64_t> twiddle_exponent(const Value& twiddle, std::uint64_t span, int sign) {
  if (span == 0 || traits(twiddle.type).components != 2 || !traits(twiddle.type).floating) return {};
  const TwiddleName name = name_twiddle({twiddle.component(0), twiddle.component(1)}, span, sign);
  if (!name.is_power) return {};
  const auto period = static_cast<std::int64_t>(span);
  const std::int64_t k = name.exponent;
  return sign < 0 && k < 0 ? k + period : sign > 0 && k > 0 ? k - period : k;
}

std::string factor_text(const Value& factor) {
  const double value = factor.component(0);
  if (traits(factor.type).components == 1 && value > 0 && value < 1) {
    const double inverse = std::round(1 / value);
    if (inverse < 1e9 && std::abs(1 / inverse - value) < 1e-6 * value) return fmt::format("1/{:.0f}", inverse);
  }
  return value_text(factor, 3);
}

}  // namespace twiddle
