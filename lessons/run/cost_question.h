// The question "which access pattern costs more?": two accesses of one operation, of two stages, launches or runs.
#pragma once

#include "lessons/run/questions.h"

namespace twiddle {

/// `name` and `than_name` are what the author calls the patterns, in words; empty: what is accessed, and where. The right
/// answer comes first. Throws Error (usage) when the two cannot be compared.
Question cost_question(const QuestionSpec& spec, std::string_view language, LessonRun& run, LessonRun& than_run,
                       const std::string& name, const std::string& than_name);

}  // namespace twiddle
