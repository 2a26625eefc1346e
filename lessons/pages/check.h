// `twiddle lesson check`: a lesson's references hold, and its languages show and ask the same.
#pragma once

#include "lessons/run/lesson_run.h"

namespace twiddle {

/// Traces the lesson's runs and says everything that is wrong: references, positions, lit elements, literal numbers,
/// links to lessons that are not there. `complaints` has those of reading it already.
void check_lesson(const Lesson& lesson, LessonRuns& runs, Complaints& complaints);

/// Where a translation shows or asks something else than the original: steps, runs, figures and questions.
void compare_languages(const Lesson& original, const Lesson& translation, Complaints& complaints);

}  // namespace twiddle
