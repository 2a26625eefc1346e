// Checks that a lesson never types a result but refers to it, so that it cannot disagree with the code.
#pragma once

#include "lessons/text/lesson.h"

#include <string>
#include <string_view>

namespace twiddle {

/// The first number in a text that could be a result: digits that are not part of a name (radix-4, 基4, 2-D, 2次元,
/// float32). Empty when there is none.
std::string literal_number(std::string_view text);

/// Complains about every literal number of a lesson's prose, with its line. Formulas and code may have numbers, a code
/// span that is nothing but numbers may not.
void check_numbers(const Lesson& lesson, Complaints& complaints);

}  // namespace twiddle
