// Numbers as diagrams write them: short enough for a node, and never cut.
#pragma once

#include "tracer/trace/operation.h"
#include "viewer/scene/fonts.h"

#include <cstdint>
#include <optional>
#include <string>

namespace twiddle {

/// A value in at most `digits` significant digits of its larger component: "(−4, 9.657)", "28", "(1.2e6, 0)". What is less
/// than that reads 0. Minus is U+2212. Values that are no numbers read "NaN" or "∞".
std::string value_text(const Value& value, int digits = 4);
/// With all its digits, for tooltips: the shortest text that gives the same bits back.
std::string full_value_text(const Value& value);
/// The value in as many digits (at most `digits`) as fit into `width`; empty when not even one does.
std::string fitting_value_text(const Font& font, const Value& value, int digits, float width);

/// |value|; of a complex value √(re² + im²).
double magnitude(const Value& value);

/// `index` in binary, `bits` digits.
std::string binary_text(std::uint64_t index, int bits);
/// 1234567 as "1 234 567", with thin spaces that do not break.
std::string grouped_digits(std::uint64_t count);
/// 1 "butterfly", 2 "butterflies".
std::string counted(std::uint64_t count, const char* one, const char* many);

/// The k of a twiddle factor w_span^k, w = e^(−2πi/span), when the value is one (within 1e-3 of the circle's step, and of
/// 1 in length). `sign` is the transform's: −1 gives 0 … span−1, +1 gives −(span−1) … 0.
std::optional<std::int64_t> twiddle_exponent(const Value& twiddle, std::uint64_t span, int sign);

/// A real factor as text: "1/8" when it is the inverse of a whole number, else the number.
std::string factor_text(const Value& factor);

}  // namespace twiddle
