// Where lessons are: the course, lessons/LANGUAGE/NN-ID.md, and the user's own files.
#pragma once

#include "lessons/text/lesson.h"

#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

/// What the course is written in: "en", "ja", "zh", as far as there are lessons.
std::vector<std::string_view> lesson_languages();

/// The language of the user's system, when it is one of those; else "en".
std::string system_language();

/// A lesson of the course, with what a table of contents shows.
struct CourseEntry {
  std::string id, title, summary;
  int number = 0, minutes = 0;
  std::filesystem::path file;
  std::string group{};
  std::vector<std::string> needs{};
};
/// All of a language, in the order of the course. Throws Error (unreadable).
std::vector<CourseEntry> course(std::string_view language);

/// Their ids alone, without reading the files; empty when there are none.
std::vector<std::string> course_ids();

/// The file of a lesson of the course. Throws Error (usage) that names the nearest id.
std::filesystem::path course_file(std::string_view id, std::string_view language);

/// What the command line names: a file ("./mine.md"), or a lesson of the course in this language.
Lesson lesson_named(const std::string& name, std::string_view language);

}  // namespace twiddle
