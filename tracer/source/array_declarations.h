// Arrays that functions declare for themselves and give no value, found in a preprocessed C++ source by its words alone.
#pragma once

#include "tracer/source/tokens.h"

#include <cstddef>
#include <vector>

namespace twiddle {

struct ArrayDeclaration {
  std::size_t end = 0;             // the token `;` behind it
  std::vector<std::size_t> names;  // the tokens that name its arrays
};

/// `float r[4], s, t[2][n];` in the code of a function gives r and t, and `row u;` u where a row is a typedef's array. What might
/// be something else is left out: members of types, arrays of pointers, those with a value, `static`, `extern`, `const` and
/// `__shared__` ones, typedefs. So are those between a switch's cases, which a jump may pass over. Tokens of directives are not
/// among `tokens`.
std::vector<ArrayDeclaration> array_declarations(const std::vector<Token>& tokens);
/// Whether a function declares, without a value, a structure that has arrays.
bool declares_structures_with_arrays(const std::vector<Token>& tokens);

}  // namespace twiddle
