// Texts of changed kernels, to compare.
#pragma once

#include "tracer/syntax/syntax.h"

#include <string>

namespace twiddle {

/// The words of a text with a space behind each, without brackets, which a change may have more of than it needs.
inline std::string words_of(const std::string& text) {
  std::string words;
  for (const Lexeme& one : lexemes_of(text))
    if (!one.is("(") && !one.is(")")) words += std::string(one.text) + " ";
  return words;
}

}  // namespace twiddle
