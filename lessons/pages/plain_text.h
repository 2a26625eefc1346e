// A lesson as plain text, for a terminal and for screen readers.
#pragma once

#include "lessons/run/lesson_run.h"

#include <string>

namespace twiddle {

/// Every step with its text, its figure in words, and its references evaluated. Throws Error (unreadable) with file and
/// line where a reference cannot be.
std::string lesson_text(const Lesson& lesson, LessonRuns& runs);

}  // namespace twiddle
