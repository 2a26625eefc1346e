// Arithmetic in plan files: "n/2", "1<<(s-1)", "2*n+1", "-2*pi/n". What is written there is untrusted: every step is checked.
#pragma once

#include "base/message.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace twiddle {

/// What the names of an expression are: a plan's parameters and the variables of its loops.
using ExpressionNames = std::map<std::string, std::variant<std::int64_t, double>, std::less<>>;

/// The value in whole numbers, as C's 64-bit integers have it: ?: || && | & == != < <= > >= << >> + - * / % unary + - ! ~ and
/// parentheses, in C's order, and the functions of expression_functions(). Every operand is evaluated, of && and ?: too.
/// Throws Error (usage), one sentence with the expression: an unknown name (with the nearest known), a division by zero, a
/// value beyond 64 bits, a fraction, or a ^, which could be a power or an exclusive or.
std::int64_t whole_value(std::string_view expression, const ExpressionNames& names);

/// The value in double precision: 1/n is a fraction, pi is known, and there are sqrt, sin, cos and exp besides. What only whole
/// numbers have (%, <<, &, log2 …) takes whole values up to 2^53.
double real_value(std::string_view expression, const ExpressionNames& names);

/// "log2(x)", "the whole part of the binary logarithm", …: name with parameters, and meaning.
struct ExpressionFunction {
  std::string_view form, meaning;
};
const std::vector<ExpressionFunction>& expression_functions();

/// Cuts a text at each `mark` that is outside of parentheses: "a,min(b,c)" at ',' gives "a" and "min(b,c)". Spaces around the
/// parts go.
std::vector<std::string_view> split_outside(std::string_view text, std::string_view mark);

/// A text with each {EXPRESSION} replaced by its value: "pass {s}". Throws Error (usage).
std::string filled_text(std::string_view text, const ExpressionNames& names);

/// "; did you mean span?" of a name that is none of `known`, or "; there are n, s": one letter is like any other.
Message nearest_name(std::string_view name, const std::vector<std::string>& known);

/// A letter or _ and then letters, digits and _.
bool is_identifier(std::string_view text);

}  // namespace twiddle
