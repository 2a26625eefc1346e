// What diagrams need of values beside their text (tracer/trace/number_text.h): as much as fits a node, names of factors.
#pragma once

#include "tracer/trace/number_text.h"
#include "viewer/scene/fonts.h"

#include <cstdint>
#include <optional>
#include <string>

namespace twiddle {

/// The value in as many digits (at most `digits`) as fit into `width`; where not even one does, a part of less than a hundredth of
/// the other is "≈0"; empty when that is too long, too.
std::string fitting_value_text(const Font& font, const Value& value, int digits, float width);

/// |value|; of a complex value √(re² + im²).
double magnitude(const Value& value);

/// `index` in binary, `bits` digits.
std::string binary_text(std::uint64_t index, int bits);
/// The k of a twiddle factor w_span^k, w = e^(−2πi/span), when name_twiddle takes the value for one. `sign` is the
/// transform's: −1 gives 0 … span−1, +1 gives −(span−1) … 0.
std::optional<std::int64_t> twiddle_exponent(const Value& twiddle, std::uint64_t span, int sign);

/// A real factor as text: "1/8" when it is the inverse of a whole number, else the number.
std::string factor_text(const Value& factor);

}  // namespace twiddle
