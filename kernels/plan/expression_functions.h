// The functions of expressions, and arithmetic on whole numbers that stays within 64 bits.
#pragma once

#include "base/error.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <variant>

namespace twiddle {

/// Makes the Error of an expression from what is wrong in it.
using ExpressionFailure = std::function<Error(const Message&)>;

// Arithmetic on whole numbers, checked; `fail` throws with a sentence about the expression.
struct WholeNumbers {
  using Value = std::int64_t;
  template <typename Fail>
  static Value literal(std::string_view text, const Fail& fail) {
    Value value = 0;
    const bool hex = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char* begin = text.data() + (hex ? 2 : 0);
    const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value, hex ? 16 : 10);
    if (error == std::errc::result_out_of_range) throw fail(Message("{} is beyond 64 bits", text));
    if (error != std::errc() || end != text.data() + text.size()) throw fail(Message("{} is no whole number", text));
    return value;
  }
  template <typename Fail>
  static Value of(const std::variant<std::int64_t, double>& named, std::string_view name, const Fail& fail) {
    if (const auto* whole = std::get_if<std::int64_t>(&named)) return *whole;
    throw fail(Message("{} is {}, which is no whole number", name, std::get<double>(named)));
  }
  template <typename Fail>
  static std::int64_t whole(Value value, const Fail&) {
    return value;
  }
  static Value from(std::int64_t value) { return value; }
  template <typename Fail>
  static Value add(Value a, Value b, const Fail& fail) {
    Value out;
    if (__builtin_add_overflow(a, b, &out)) throw fail(beyond());
    return out;
  }
  template <typename Fail>
  static Value subtract(Value a, Value b, const Fail& fail) {
    Value out;
    if (__builtin_sub_overflow(a, b, &out)) throw fail(beyond());
    return out;
  }
  template <typename Fail>
  static Value multiply(Value a, Value b, const Fail& fail) {
    Value out;
    if (__builtin_mul_overflow(a, b, &out)) throw fail(beyond());
    return out;
  }
  template <typename Fail>
  static Value divide(Value a, Value b, const Fail& fail) {
    if (b == 0) throw fail(Message("it divides by zero"));
    if (b == -1) return subtract(0, a, fail);
    return a / b;
  }
  static Message beyond() { return Message("its value is beyond 64 bits"); }
};

struct ExpressionCall {
  std::string_view form, meaning;
  int arguments;

  std::string_view name() const { return form.substr(0, form.find('(')); }
};
/// Functions of whole numbers, and those that give fractions.
std::span<const ExpressionCall> whole_calls();
std::span<const ExpressionCall> real_calls();

/// The value of a function of whole_calls(). Throws what `fail` makes.
std::int64_t call_whole(std::string_view name, const std::array<std::int64_t, 3>& x, const ExpressionFailure& fail);

}  // namespace twiddle
