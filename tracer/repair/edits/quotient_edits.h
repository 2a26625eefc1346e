// Changes of a quotient of whole numbers: rounded to the nearest, a real one, or by something else.
#pragma once

#include "tracer/repair/edits/edit_maker.h"

namespace twiddle {

class QuotientEdits : protected EditMaker {
 protected:
  static constexpr std::size_t max_factors = 10;  // of products of two

  /// Of a syntax that outlives it.
  explicit QuotientEdits(const Syntax& syntax);

  /// One that should be the nearest whole number.
  void rounded(const Expression& one);
  /// The same of "a >> 2": "(a + 2) >> 2".
  void rounded_shift(const Expression& one);
  /// Of a quotient by 2, 4, 8, …: "a >> 2", which goes down below nought, too.
  void shifted_quotient(const Expression& one);
  /// Whether a statement has real numbers, or functions of them.
  bool computes_reals(const Statement& statement) const;
  /// One that is rounded down where a part of a circle was meant: "2.0f * k / n" for "2 * k / n".
  void real_quotient(const Expression& one);
  /// What is divided by may be a product: "done * radix" for "n".
  void divisor(std::uint32_t e);
  /// Of a product with a quotient in brackets: of whole numbers the quotient comes last.
  void quotient_last(const Expression& one);

 private:
  const bool doubles_;  // the file computes with them
};

}  // namespace twiddle
