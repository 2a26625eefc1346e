// Which part of a source the compiler sees: #ifdef, #if and the like, as far as they can be told from the text.
#pragma once

#include "tracer/source/tokens.h"

#include <map>
#include <string_view>
#include <vector>

namespace twiddle {

/// Macros and their first word ("" when they stand for nothing).
using Macros = std::map<std::string_view, std::string_view>;

/// The tokens without those that conditionals leave out. `defined` are macros from elsewhere (the command line, included
/// files); those that the text defines itself on the way are added. Where a condition can't be told (an expression, or a
/// name that compilers define) both sides stay. The conditionals' own lines stay as well.
std::vector<Token> seen_by_compiler(const std::vector<Token>& tokens, Macros& defined);

}  // namespace twiddle
