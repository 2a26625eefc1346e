// A kernel whose line a learner completes: compiled, run on the host executor and judged by the checks.
#pragma once

#include "base/message.h"
#include "lessons/questions/questions.h"
#include "lessons/text/lesson.h"

#include <string>
#include <string_view>

namespace twiddle {

/// The kernel of a question, with "____" in place of what is to be filled in. Throws Error (usage) where the plan is none
/// of a user's CUDA kernels, or the code to be filled in is not in it exactly once. Runs nothing.
GapInCode gap_in_code(const QuestionSpec& question);
/// That line alone, without what indents it; it fits a title.
std::string line_to_fill_in(const QuestionSpec& question);

/// What an expression in that place came to.
struct Built {
  bool right = false;  // the outcome is as expected, and the checks find no error
  Message sentence;    // what the compiler, the executor or the checks say; empty where it is right
};

/// Compiles and runs it: call this only only where the reader asked for it. The expression is a part of one line: no semicolons,
/// braces or directives. Throws Error: usage for what is no expression, no_device where this machine has no compiler for the
/// host.
Built build_and_judge(const QuestionSpec& question, std::string_view expression);

}  // namespace twiddle
