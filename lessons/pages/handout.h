// A lesson as one HTML page: text, figures that step, questions that answer. Nothing is loaded from elsewhere; it works from
// disk, without a network, by keyboard and for a screen reader, and it prints.
#pragma once

#include "lessons/run/lesson_run.h"

#include <functional>
#include <string>

namespace twiddle {

struct LessonPageOptions {
  /// The address of another lesson's page, for links; empty (or an empty answer): links are shown as text.
  std::function<std::string(const std::string& id)> link;
  std::string previous, next, contents;  // ids of the neighbours in a course, and the address of its contents
};

/// Throws Error (unreadable) with file and line of what is wrong in the lesson.
std::string lesson_page(const Lesson& lesson, LessonRuns& runs, const LessonPageOptions& options = {});

/// A language's course as a page of links.
struct ContentsEntry {
  std::string address, title, summary;
  int minutes = 0;
};
std::string contents_page(std::string_view language, const std::vector<ContentsEntry>& entries,
                          const std::vector<std::pair<std::string, std::string>>& languages);

}  // namespace twiddle
