#include "tracer/trace/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <utility>

namespace twiddle {
namespace {

/// U+2212 for every hyphen.
std::string with_minus(std::string text) {
  for (std::size_t at = text.find('-'); at != std::string::npos; at = text.find('-', at)) text.replace(at, 1, "−");
  return text;
}

std::string no_number(double value) { return std::isnan(value) ? "NaN" : value < 0 ? "−∞" : "∞"; }

std::string without_zeros(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

// "28", or "(−4, 4)" of two components and more.
template <typename Part>
std::string of_components(const Value& value, const Part& part) {
  const int components = traits(value.type).components;
  if (components == 1) return part(0);
  std::string text = "(";
  for (int c = 0; c < components; ++c) text += (c > 0 ? ", " : "") + part(c);
  return text + ")";
}

template <typename T>
std::string shortest(T value) {
  if (std::isnan(value)) return std::signbit(value) ? "-nan" : "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return std::string(text, end);
}

template <typename T>
T load(const Value& value, int which) {
  T result;
  std::memcpy(&result, value.bits.data() + static_cast<std::size_t>(which) * sizeof(T), sizeof(T));
  return result;
}

// Digits that decide what is 0 beside a larger component, however few are written.
constexpr int digits_of_zero = 4;

// How numbers are rounded the largest of which has this size: to 10^place, and plain or scientific.
struct Rounding {
  int place = 0;
  double zero = 0;  // what is smaller is
  bool scientific = false;

  Rounding(double largest, int digits) {
    // Rounding may carry into the next decade; one digit more or less there does no harm.
    const int decade = largest > 0 ? static_cast<int>(std::floor(std::log10(largest))) : 0;
    place = decade - digits + 1;
    zero = 0.5 * std::pow(10.0, decade - std::max(digits, digits_of_zero) + 1);
    scientific = largest > 0 && (decade < -4 || decade >= std::max(4, digits) + 1);
  }

  std::string text(double value) const {
    if (!std::isfinite(value)) return no_number(value);
    if (std::abs(value) < zero) return "0";
    // Below the last digit of the larger component, and no zero: a digit of its own.
    const int own = value == 0 ? place : static_cast<int>(std::floor(std::log10(std::abs(value))));
    if (!scientific) {
      std::string text = without_zeros(fmt::format("{:.{}f}", value, std::max({0, -place, -own})));
      return text == "-0" ? "0" : with_minus(std::move(text));
    }
    if (value == 0) return "0";
    const std::string text = fmt::format("{:.{}e}", value, std::max(0, own - place));
    const std::size_t e = text.find('e');
    return with_minus(without_zeros(text.substr(0, e)) + "e" + std::to_string(std::stoi(text.substr(e + 1))));
  }
};

// A computed value as one of doubles, with as many components as this type has.
Value computed(std::complex<double> value, ElementType type) {
  Value made{traits(type).components == 2 ? ElementType::Double2 : ElementType::Double};
  const double parts[2] = {value.real(), value.imag()};
  std::memcpy(made.bits.data(), parts, traits(made.type).bytes);
  return made;
}

// Each component by itself.
std::string own_digits_text(const Value& value, int digits) {
  return of_components(value, [&](int i) {
    return traits(value.type).floating ? number_text(value.component(i), digits) : with_minus(component_text(value, i));
  });
}

// In as few digits as tell them apart, of values of this type.
Compared apart(const Value& is, const Value& wanted, ElementType type) {
  constexpr int all_digits = 17;
  Compared texts;
  for (int digits = traits(type).floating ? 4 : all_digits; digits <= all_digits && texts.is == texts.wanted; ++digits)
    texts = {own_digits_text(is, digits), own_digits_text(wanted, digits)};
  return texts;
}

}  // namespace

std::string number_text(double value, int digits) {
  return Rounding(std::isfinite(value) ? std::abs(value) : 0, digits).text(value);
}

std::vector<std::string> value_parts(const Value& value, int digits) {
  const ElementTraits& type = traits(value.type);
  double largest = 0;
  for (int i = 0; i < type.components; ++i)
    if (std::isfinite(value.component(i))) largest = std::max(largest, std::abs(value.component(i)));
  const Rounding rounding(largest, digits);
  std::vector<std::string> parts;
  for (int i = 0; i < type.components; ++i)
    parts.push_back(type.floating ? rounding.text(value.component(i)) : with_minus(component_text(value, i)));
  return parts;
}

std::string value_text(const Value& value, int digits) {
  const std::vector<std::string> parts = value_parts(value, digits);
  return of_components(value, [&](int i) { return parts[static_cast<std::size_t>(i)]; });
}

std::string value_text(std::complex<double> value) { return value_text(computed(value, ElementType::Double2)); }

Compared compared_texts(const Value& is, const Value& wanted) { return apart(is, wanted, is.type); }

Compared compared_texts(const Value& is, std::complex<double> wanted) {
  return apart(is, computed(wanted, is.type), is.type);
}

Compared compared_texts(std::complex<double> is, std::complex<double> wanted, ElementType type) {
  return apart(computed(is, type), computed(wanted, type), type);
}

std::string full_value_text(const Value& value) {
  return of_components(value, [&](int i) {
    const double component = value.component(i);
    if (!std::isfinite(component)) return no_number(component);
    if (component == 0) return std::string("0");
    const ElementTraits& type = traits(value.type);
    return with_minus(type.floating && !type.wide ? fmt::format("{}", static_cast<float>(component))
                                                  : fmt::format("{}", component));
  });
}

std::string exact_text(double value) { return shortest(value); }
std::string exact_text(float value) { return shortest(value); }

std::string component_text(const Value& value, int which) {
  const ElementTraits& type = traits(value.type);
  if (type.scalar == ElementType::Half)
    return std::isnan(value.component(which)) ? fmt::format("nan:{:04x}", load<std::uint16_t>(value, which))
                                              : exact_text(static_cast<float>(value.component(which)));
  if (type.floating && std::isnan(value.component(which)))
    return type.wide ? fmt::format("nan:{:016x}", load<std::uint64_t>(value, which))
                     : fmt::format("nan:{:08x}", load<std::uint32_t>(value, which));
  if (type.floating) return type.wide ? exact_text(load<double>(value, which)) : exact_text(load<float>(value, which));
  const Int128 whole = whole_component(value.type, value.bits.data(), which);
  return is_signed(value.type) ? fmt::format("{}", static_cast<std::int64_t>(whole))
                               : fmt::format("{}", static_cast<std::uint64_t>(whole));
}

std::string exact_text(const Value& value) {
  return of_components(value, [&](int which) { return component_text(value, which); });
}

}  // namespace twiddle
