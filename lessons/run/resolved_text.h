// Text and questions with their references evaluated, ready to be shown; errors name file and line.
#pragma once

#include "lessons/run/lesson_run.h"
#include "lessons/run/questions.h"

#include <vector>

namespace twiddle {

/// `run` is the step's. All throw Error (unreadable) with file and line, or no_device.
std::vector<TextRun> resolved(const std::vector<TextRun>& text, const Lesson& lesson, const std::string& run,
                              LessonRuns& runs);
std::vector<TextBlock> resolved(const std::vector<TextBlock>& text, const Lesson& lesson, const std::string& run,
                                LessonRuns& runs);
Question resolved_question(const QuestionSpec& spec, const Lesson& lesson, const std::string& run, LessonRuns& runs);

}  // namespace twiddle
