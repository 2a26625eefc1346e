// Lessons in the window.
#pragma once

#include "cli/options.h"
#include "lessons/text/lesson.h"

#include <optional>
#include <string>

namespace twiddle::cli {

/// Whether the argument of `view` means a lesson: one of the course, or a file (.md).
bool names_lesson(const std::string& subject);

/// Opens the window on the contents, or on a lesson. `screenshot` is a file to write instead, with the lesson at `step`
/// (from 1).
int open_lessons(const std::string& language, std::optional<Lesson> lesson, const RunOptions& run,
                 const PictureOptions& picture, const std::string& screenshot = {}, std::uint64_t step = 1);

/// Whether the program is used interactively: there is a display, and standard output is neither a pipe nor a file.
bool is_interactive();

}  // namespace twiddle::cli
