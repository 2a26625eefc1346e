// Questions whose answers come from a trace: the right one from the log, the wrong ones from mistakes that people make,
// each with why.
#pragma once

#include "lessons/run/lesson_run.h"

#include <string>
#include <vector>

namespace twiddle {

struct Answer {
  std::string text, why;
  bool right = false;
};

struct Question {
  std::string text;
  std::vector<Answer> answers;  // in the order in which they are shown; one is right
};

/// What a question block may ask for beside "choice".
const std::vector<std::string>& question_kinds();

/// `run` is the step's. Throws Error (usage) when the trace does not answer the question, or two answers agree.
Question make_question(const QuestionSpec& spec, const Lesson& lesson, const std::string& run, LessonRuns& runs);

}  // namespace twiddle
