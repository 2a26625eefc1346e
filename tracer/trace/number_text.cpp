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
std::vector<std::string> own_digits(const Value& value, int digits) {
  std::vector<std::string> parts;
  for (int i = 0; i < traits(value.type).components; ++i)
    parts.push_back(traits(value.type).floating ? number_text(value.component(i), digits)
                                                : with_minus(component_text(value, i)));
  return parts;
}

// The digits behind a number's point, which is where the text goes on behind them: at its end, or at the "e" of its exponent.
std::size_t digits_behind_point(const std::string& number, std::size_t& end) {
  end = std::min(number.find('e'), number.size());
  const std::size_t point = number.find('.');
  return point == std::string::npos ? 0 : end - point - 1;
}

// Two numbers with as many digits behind their points, where both have one and they are of one exponent.
void even_out(std::string& a, std::string& b) {
  std::size_t end_of_a = 0, end_of_b = 0;
  const std::size_t digits_of_a = digits_behind_point(a, end_of_a), digits_of_b = digits_behind_point(b, end_of_b);
  if (a == b || digits_of_a == 0 || digits_of_b == 0 || a.substr(end_of_a) != b.substr(end_of_b)) return;
  const std::size_t digits = std::max(digits_of_a, digits_of_b);
  a.insert(end_of_a, digits - digits_of_a, '0');
  b.insert(end_of_b, digits - digits_of_b, '0');
}

// In as few digits as tell them apart, of values of this type; where that is more than they have else, in equally many.
Compared apart(const Value& is, const Value& wanted, ElementType type) {
  constexpr int few_digits = 4, all_digits = 17;
  std::vector<std::string> parts_is, parts_wanted;
  int digits = traits(type).floating ? few_digits : all_digits;
  for (; digits <= all_digits && parts_is == parts_wanted; ++digits) {
    parts_is = own_digits(is, digits);
    parts_wanted = own_digits(wanted, digits);
  }
  if (traits(type).floating && digits - 1 > few_digits && parts_is.size() == parts_wanted.size())
    for (std::size_t c = 0; c < parts_is.size(); ++c) even_out(parts_is[c], parts_wanted[c]);
  const auto text = [](const std::vector<std::string>& parts) { return [&](int c) { return parts[std::size_t(c)]; }; };
  return {of_components(is, text(parts_is)), of_components(wanted, text(parts_wanted))};
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
