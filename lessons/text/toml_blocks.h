// The TOML blocks of a lesson: its head, its steps and its questions.
#pragma once

#include "lessons/text/lesson.h"

#include <string_view>

namespace twiddle {

/// What a head says beside the runs.
void parse_lesson_block(std::string_view text, int line, Lesson& lesson, Complaints& complaints);
void parse_step_block(std::string_view text, int line, LessonStep& step, Complaints& complaints);
QuestionSpec parse_question_block(std::string_view text, int line, const Lesson& lesson, Complaints& complaints);

}  // namespace twiddle
