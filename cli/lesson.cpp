// `twiddle lesson`: the course, somebody's own lessons, and the proof that they say what the code does.
#include "base/error.h"
#include "cli/output.h"
#include "cli/sentence.h"
#include "cli/tracing.h"
#include "cli/verbs.h"
#include "kernels/read_file.h"
#include "lessons/check.h"
#include "lessons/library.h"
#include "lessons/plain.h"

#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace twiddle::cli {
namespace {

struct Options : RunOptions {
  std::string lesson, language;
  std::vector<std::string> files;
  bool json = false;
};

std::string asked_language(const Options& options) {
  return options.language.empty() ? system_language() : options.language;
}

// ---- The list ----

std::string contents(std::string_view language) {
  std::string text;
  for (const CourseEntry& entry : course(language)) text += fmt::format("{:<14} {}\n", entry.id, entry.title);
  return text;
}

nlohmann::ordered_json contents_json() {
  std::map<std::pair<int, std::string>, nlohmann::ordered_json> by_place;
  for (const std::string_view language : lesson_languages())
    for (const CourseEntry& entry : course(language)) {
      auto [place, fresh] = by_place.try_emplace({entry.number, entry.id});
      if (fresh) place->second = {{"id", entry.id}, {"title", entry.title}, {"minutes", entry.minutes}};
      place->second["languages"].push_back(std::string(language));
    }
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (auto& [place, entry] : by_place) list.push_back(std::move(entry));
  return list;
}

// ---- Checking ----

Lesson read_for_check(const std::filesystem::path& file, std::string_view language, Complaints& complaints) {
  return parse_lesson(read_file(file, largest_lesson_file), file, language, complaints);
}

// Complaints of one lesson, printed; true when there was none.
bool told(const Complaints& complaints) {
  for (const Complaint& complaint : complaints.list()) print(complaint.text() + "\n");
  return complaints.list().empty();
}

int check(const Options& options) {
  const TemporaryFolder folder;
  LessonRuns runs(folder.path(), options.runtime, options.device);
  std::uint64_t lessons = 0, bad = 0;
  const auto check_one = [&](const std::filesystem::path& file, std::string_view language, const Lesson* original) {
    Complaints complaints(file);
    Lesson lesson = read_for_check(file, language, complaints);
    if (complaints.list().empty()) check_lesson(lesson, runs, complaints);
    if (original) compare_languages(*original, lesson, complaints);
    ++lessons;
    if (!told(complaints)) ++bad;
    return lesson;
  };
  if (options.files.empty()) {
    std::map<std::string, Lesson> originals;
    for (const std::string_view language : lesson_languages()) {
      std::set<std::string> ids;
      for (const CourseEntry& entry : course(language)) {
        const auto original = originals.find(entry.id);
        Lesson lesson = check_one(entry.file, language, original == originals.end() ? nullptr : &original->second);
        ids.insert(entry.id);
        if (language == "en")
          originals.emplace(entry.id, std::move(lesson));
        else if (original == originals.end())
          print(fmt::format("{}:1: there is no English lesson of this name\n", entry.file.string())), ++bad;
      }
      for (const auto& [id, lesson] : originals)
        if (!ids.contains(id))
          print(fmt::format("{}:1: this lesson is missing in {}\n", lesson.file.string(), language)), ++bad;
    }
  } else {
    for (const std::string& file : options.files) check_one(file, options.language, nullptr);
  }
  print(fmt::format("{} checked, {}\n", counted(lessons, "lesson", "lessons"),
                    bad == 0 ? "all good" : fmt::format("{} with something wrong", bad)));
  return bad == 0 ? 0 : static_cast<int>(ExitCode::findings);
}

int lesson(const Options& options) {
  const std::string language = asked_language(options);
  if (options.lesson.empty() || options.json) {
    print(options.json ? contents_json().dump(2) + "\n" : contents(language));
    return 0;
  }
  if (options.lesson == "check") return check(options);
  const TemporaryFolder folder;
  LessonRuns runs(folder.path(), options.runtime, options.device);
  print(lesson_text(lesson_named(options.lesson, language), runs));
  return 0;
}

}  // namespace

void add_lesson(Program& program) {
  const auto options = std::make_shared<Options>();
  CLI::App& verb =
      program.verb("lesson", "Take a lesson, or list the course, or prove that lessons say what the code does",
                   "LESSON is an id of the course or a Markdown file of one's own (docs/writing-lessons.md); without "
                   "it the course is "
                   "listed. `check` traces every lesson's runs and says what in it does not hold, with file and line: "
                   "the whole course, "
                   "or the FILEs named; exit code 1 when there is anything.",
                   [options] { return lesson(*options); });
  Completion words{course_ids(), true, {".md"}};
  words.words.emplace_back("check");
  program.complete(add_text(verb, "LESSON", "", "a lesson's id, a file (.md), or check", options->lesson), words);
  program.complete(verb.add_option("FILE", options->files, "for check: files to look at; without, the whole course"),
                   {{}, true, {".md"}});
  add_choice(program, verb, "--lang", "the lesson's language; the system's without it", {"en", "ja", "zh"},
             [options](const std::string& language) { options->language = language; });
  add_switch(verb, "--json", "the list of lessons as JSON (docs/json.md)", options->json);
  add_runtime_options(program, verb, *options);
  program.example(verb, "twiddle lesson", "List the course");
  program.example(verb, "twiddle lesson butterfly --lang ja", "Read a lesson in Japanese");
  program.example(verb, "twiddle lesson check mine.md", "See whether a lesson of one's own holds");
}

}  // namespace twiddle::cli
