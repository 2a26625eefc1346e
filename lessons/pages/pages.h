// A lesson as something to hand out: an HTML page, a PDF, plain text; and whether what it says holds (`twiddle lesson check`).
#pragma once

#include "lessons/run/lesson_run.h"
#include "viewer/scene/scene.h"

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace twiddle {

// ---- Checking ----

/// Traces the lesson's runs and says everything that is wrong: references, positions, lit elements, literal numbers,
/// links to lessons that are not there. `complaints` has those of reading it already.
void check_lesson(const Lesson& lesson, LessonRuns& runs, Complaints& complaints);

/// Where a translation shows or asks something else than the original: steps, runs, figures and questions.
void compare_languages(const Lesson& original, const Lesson& translation, Complaints& complaints);

// ---- One HTML page ----

// Text, figures that step, questions that answer. Nothing is loaded from elsewhere; it works from disk, without a network, by
// keyboard and for a screen reader, and it prints.

struct LessonPageOptions {
  /// The address of another lesson's page, for links; empty (or an empty answer): links are shown as text.
  std::function<std::string(const std::string& id)> link;
  std::string previous, next, contents;  // addresses of the neighbours in a course, and of its contents
  std::string previous_title, next_title;
  std::string glossary;  // address of the language's glossary; empty: terms say their words when they are pointed at
  std::vector<std::pair<std::string, std::string>> languages;  // code and address of the same lesson in each other one
};

/// Throws Error (unreadable) with file and line of what is wrong in the lesson.
std::string lesson_page(const Lesson& lesson, LessonRuns& runs, const LessonPageOptions& options = {});

/// A language's course as a page of links.
struct ContentsEntry {
  std::string address, title, summary;
  int minutes = 0, number = 0;
  std::string id{}, group{};         // under which it keeps its progress; the heading it is under
  std::vector<std::string> needs{};  // titles of the lessons before it
  std::string key{};                 // address of its answer key; empty: none
};
std::string contents_page(std::string_view language, const std::vector<ContentsEntry>& entries,
                          const std::vector<std::pair<std::string, std::string>>& languages,
                          const std::string& glossary_address = "glossary.html");

/// The glossary in the order of the course's own, with the term in the reader's language first, as a page of a course.
std::string glossary_page(std::string_view language, const std::vector<std::pair<std::string, std::string>>& languages);

/// A lesson's answer key as a page: what there is to do and when, what each answer is told, and the presenter's notes. Of the
/// options it takes the course, the lesson and the key in other languages. Throws Error (unreadable) like lesson_page.
std::string key_page(const Lesson& lesson, LessonRuns& runs, const LessonPageOptions& options = {});

// ---- Print: text, figures and questions on A4 pages, answers at the end ----

/// The pages as scenes. The program must be set to the lesson's language (viewer/scene/languages.h), for the figures' text and
/// the faces that measure it. Throws Error (unreadable) with file and line of what is wrong in the lesson.
std::vector<Scene> lesson_print(const Lesson& lesson, LessonRuns& runs);

/// The same as a PDF. Throws Error (usage) when this build has no librsvg.
std::vector<std::byte> lesson_pdf(const Lesson& lesson, LessonRuns& runs);

// ---- Plain text, for a terminal and for screen readers ----

/// Every step with its text, its figure in words, and its references evaluated. Throws Error (unreadable) with file and
/// line where a reference cannot be.
std::string lesson_text(const Lesson& lesson, LessonRuns& runs);

}  // namespace twiddle
