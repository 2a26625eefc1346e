// A lesson for print: text, figures and questions on A4 pages, answers at the end.
#pragma once

#include "lessons/run/lesson_run.h"
#include "viewer/scene/scene.h"

#include <cstddef>
#include <vector>

namespace twiddle {

/// The pages as scenes. The program must be set to the lesson's language (viewer/scene/languages.h), for the figures' text and
/// the faces that measure it. Throws Error (unreadable) with file and line of what is wrong in the lesson.
std::vector<Scene> lesson_print(const Lesson& lesson, LessonRuns& runs);

/// The same as a PDF. Throws Error (usage) when this build has no librsvg.
std::vector<std::byte> lesson_pdf(const Lesson& lesson, LessonRuns& runs);

}  // namespace twiddle
