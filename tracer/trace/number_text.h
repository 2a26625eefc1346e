// How numbers and values are written: short for readers, or exact for files. Every diagram, pane and sentence asks here, so
// that one value reads the same everywhere.
#pragma once

#include "base/counted.h"
#include "tracer/trace/operation.h"

#include <complex>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

/// A number in at most `digits` significant digits, without zeros at its end: "−0.7071", "12", "3.4e−5". It is plain from
/// 0.0001 up to max(4, digits) + 1 digits before the point, which are never cut ("12346"), and scientific else. Minus is
/// U+2212, never before a zero; what is no number reads "NaN", "∞" or "−∞".
std::string number_text(double value, int digits = 4);
/// A value by the same rule: "(−4, 9.657)", "28", "(1.2e6, 0)". `digits` counts for the larger component; the smaller one is
/// rounded to the same place, but reads 0 only where it is below the fourth digit of the larger one (with more digits, below
/// the last of them): in one digit "(−2e5, −5e2)" and "(10, 0.04)", so that what is 0 in one picture is 0 in every other.
/// Integers are written whole.
std::string value_text(const Value& value, int digits = 4);
/// A computed value of two components.
std::string value_text(std::complex<double> value);
/// Its components by themselves, for where they go one below the other.
std::vector<std::string> value_parts(const Value& value, int digits = 4);
/// A value and the one that it should be, as findings have them: each component in at most 4 digits of its own, so that the
/// error is not lost beside the larger component ("(1, −1.052e−5)" where (1, 0) belongs), and in as many more as it takes to
/// tell the two apart ("0.70711" where 0.70712 belongs), both in equally many then ("1.453590" where 1.453586 belongs). Integers
/// are written whole.
struct Compared {
  std::string is, wanted;
};
Compared compared_texts(const Value& is, const Value& wanted);
/// Beside a computed one; without an imaginary part where the value's type has none.
Compared compared_texts(const Value& is, std::complex<double> wanted);
/// Two computed ones, beside logged ones of this type.
Compared compared_texts(std::complex<double> is, std::complex<double> wanted, ElementType type);
/// With all its digits, for tooltips: the shortest text that gives the same bits back.
std::string full_value_text(const Value& value);

/// The shortest decimal text that gives the same bits back, for files: "nan", "-inf".
std::string exact_text(double value);
std::string exact_text(float value);
/// One component of a value as `print` writes it: exact, NaN with its bits ("nan:7fc0dead"), integers as such.
std::string component_text(const Value& value, int which);
/// All of them so: "28", "(1, -2.5)".
std::string exact_text(const Value& value);

}  // namespace twiddle
