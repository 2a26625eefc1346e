#include "viewer/words/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace twiddle {
namespace {

constexpr std::string_view minus = "−";

/// U+2212 for every hyphen.
std::string with_minus(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '-') {
      out += minus;
    } else {
      out += c;
    }
  }
  return out;
}

std::string no_number(double value) {
  if (std::isnan(value)) return "NaN";
  return value < 0 ? "−∞" : "∞";
}

std::string trimmed(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

/// A number rounded to 10^place, in plain or scientific notation.
std::string rounded(double value, int place, bool scientific) {
  if (!std::isfinite(value)) return no_number(value);
  if (!scientific) {
    std::string text = trimmed(fmt::format("{:.{}f}", value, std::max(0, -place)));
    return with_minus(text == "-0" ? "0" : text);
  }
  if (std::abs(value) < 0.5 * std::pow(10.0, place)) return "0";
  const int own = static_cast<int>(std::floor(std::log10(std::abs(value))));
  const std::string text = fmt::format("{:.{}e}", value, std::max(0, own - place));
  const std::size_t e = text.find('e');
  return with_minus(trimmed(text.substr(0, e)) + "e" + std::to_string(std::stoi(text.substr(e + 1))));
}

std::string pair_text(const std::string& first, const std::string& second) { return "(" + first + ", " + second + ")"; }

}  // namespace

double magnitude(const Value& value) {
  const double first = value.component(0);
  return traits(value.type).components == 2 ? std::hypot(first, value.component(1)) : std::abs(first);
}

std::string value_text(const Value& value, int digits) {
  const ElementTraits& type = traits(value.type);
  if (!type.floating) {
    const auto whole = [&](int i) { return with_minus(fmt::format("{:.0f}", value.component(i))); };
    return type.components == 2 ? pair_text(whole(0), whole(1)) : whole(0);
  }
  double largest = 0;
  for (int i = 0; i < type.components; ++i)
    if (std::isfinite(value.component(i))) largest = std::max(largest, std::abs(value.component(i)));
  // Rounding may carry into the next decade; one digit more or less there does no harm.
  const int decade = largest > 0 ? static_cast<int>(std::floor(std::log10(largest))) : 0;
  const int place = decade - digits + 1;
  const bool scientific = largest > 0 && (decade < -3 || decade >= std::max(4, digits) + 1);
  const auto part = [&](int i) { return rounded(value.component(i), place, scientific); };
  return type.components == 2 ? pair_text(part(0), part(1)) : part(0);
}

std::string full_value_text(const Value& value) {
  const ElementTraits& type = traits(value.type);
  const auto part = [&](int i) {
    const double component = value.component(i);
    if (!std::isfinite(component)) return no_number(component);
    if (!type.floating) return with_minus(fmt::format("{:.0f}", component));
    const std::string text =
        type.wide ? fmt::format("{}", component) : fmt::format("{}", static_cast<float>(component));
    return with_minus(text == "-0" ? "0" : text);
  };
  return type.components == 2 ? pair_text(part(0), part(1)) : part(0);
}

std::string fitting_value_text(const Font& font, const Value& value, int digits, float width) {
  for (int d = digits; d >= 1; --d) {
    std::string text = value_text(value, d);
    if (text_width(font, text) <= width) return text;
  }
  return {};
}

std::string binary_text(std::uint64_t index, int bits) {
  std::string text(static_cast<std::size_t>(bits), '0');
  for (int i = 0; i < bits; ++i)
    if ((index >> i & 1) != 0) text[static_cast<std::size_t>(bits - 1 - i)] = '1';
  return text;
}

std::string grouped_digits(std::uint64_t count) {
  const std::string digits = std::to_string(count);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += "\xE2\x80\xAF";  // U+202F, a narrow space that does not break
    text += digits[i];
  }
  return text;
}

std::string counted(std::uint64_t count, const char* one, const char* many) {
  return grouped_digits(count) + " " + (count == 1 ? one : many);
}

std::optional<std::int64_t> twiddle_exponent(const Value& twiddle, std::uint64_t span, int sign) {
  if (span == 0 || traits(twiddle.type).components != 2 || !traits(twiddle.type).floating) return {};
  const double re = twiddle.component(0), im = twiddle.component(1);
  if (!(std::abs(std::hypot(re, im) - 1) < 1e-3)) return {};
  const auto points = static_cast<double>(span);
  const double k = -std::atan2(im, re) / (2 * std::numbers::pi) * points;
  const double whole = std::round(k);
  // A tenth of a step, but never looser than what single precision with native trigonometry is off.
  if (std::abs(k - whole) > std::max(1e-3, std::min(0.1, 2e-6 * points))) return {};
  auto exponent = static_cast<std::int64_t>(whole);
  const auto period = static_cast<std::int64_t>(span);
  if (sign < 0 && exponent < 0) exponent += period;
  if (sign > 0 && exponent > 0) exponent -= period;
  return exponent;
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
