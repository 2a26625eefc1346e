// Changes of masks, steps and of which value is meant.
#pragma once

#include "tracer/repair/edits/quotient_edits.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace twiddle {

class NumberEdits : protected QuotientEdits {
 protected:
  using QuotientEdits::QuotientEdits;

  /// Of a mask in hexadecimal, `word`, whose digits end at `end`: one that repeats its digits to the end of a whole number.
  void mask_digits(const std::string& word, std::size_t end);
  /// Of a comparison with 0: the last of each row for the first.
  void last_of_row(const Expression& one);
  /// Of an assignment to `left`: of an operand that is there twice the one may be what was there before.
  void old_value(const Expression& one, const std::string& left);
  /// Of a value: a factor of it.
  void scaled(const Expression& one, double cost);
  /// Of "i++" and "--i": other steps.
  void increment(const Expression& one);
  /// Of a sum of elements: the next of them, too.
  void next_term(const Expression& one);
  /// The macro that an expression is of: one of itself would have no end.
  std::string_view defined_by(const Expression& one) const;
  /// Whether remainders are taken by a macro.
  bool is_modulus(std::string_view macro) const;
};

}  // namespace twiddle
