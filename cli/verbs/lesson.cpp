// `twiddle lesson`: the course, the user's own lessons, and the check that they agree with the code.
#include "base/error.h"
#include "base/read_file.h"
#include "base/temporary_folder.h"
#include "cli/help.h"
#include "cli/interrupt.h"
#include "cli/listings.h"
#include "cli/output.h"
#include "cli/tracing.h"
#include "cli/verbs.h"
#include "cli/verbs/show_window.h"
#include "lessons/pages/pages.h"
#include "lessons/questions/questions.h"
#include "lessons/text/library.h"
#include "viewer/scene/languages.h"

#include <CLI/CLI.hpp>

#include <map>
#include <set>

namespace fs = std::filesystem;

namespace twiddle::cli {
namespace {

struct LessonVerbOptions : RunOptions {
  std::string lesson, language, output, fill;
  bool all = false, key = false, remarks = false;
  std::vector<std::string> files;
  bool json = false;
  PictureOptions picture;
  std::string screenshot;
  std::uint64_t step = 0;  // from 1; 0: not said
};

std::string asked_language(const LessonVerbOptions& options) {
  return options.language.empty() ? system_language() : options.language;
}

// ---- Checking ----

Lesson read_for_check(const fs::path& file, std::string_view language, Complaints& complaints) {
  return parse_lesson(read_file(file, max_lesson_file), file, language, complaints);
}

// Complaints of one lesson, printed; true when there was none.
bool print_complaints(const Complaints& complaints) {
  for (const Complaint& complaint : complaints.list()) print(complaint.text() + "\n");
  return complaints.list().empty();
}

int check_lessons(const LessonVerbOptions& options) {
  const TemporaryFolder folder;
  LessonRuns runs(folder.path(), options.runtime, options.device);
  std::uint64_t lessons = 0, bad = 0, remarks = 0;
  const auto check_one = [&](const fs::path& file, std::string_view language, const Lesson* original) {
    Complaints complaints(file);
    Lesson lesson = read_for_check(file, language, complaints);
    if (complaints.list().empty()) check_lesson(lesson, runs, complaints);
    if (original) compare_languages(*original, lesson, complaints);
    ++lessons;
    remarks += complaints.remarks().size();
    if (options.remarks)
      for (const Complaint& remark : complaints.remarks()) print("remark: " + remark.text() + "\n");
    if (!print_complaints(complaints)) ++bad;
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
  if (remarks > 0 && !options.remarks)
    print(fmt::format("{} beside things of a run, unchecked and not about the figure (--remarks lists them)\n",
                      counted(remarks, "number", "numbers")));
  return bad == 0 ? 0 : static_cast<int>(ExitCode::findings);
}

// ---- Out ----

// An entry of a course's index; pages are below `folder`.
ContentsEntry contents_entry(const std::vector<CourseEntry>& entries, std::size_t at, const std::string& folder) {
  const CourseEntry& entry = entries[at];
  ContentsEntry made{folder + entry.id + ".html",
                     entry.title,
                     entry.summary,
                     entry.minutes,
                     entry.number,
                     entry.id,
                     entry.group,
                     {},
                     folder + entry.id + "-key.html"};
  for (const std::string& id : entry.needs)
    for (const CourseEntry& other : entries)
      if (other.id == id) made.needs.push_back(other.title);
  return made;
}

// The whole course in every language as a folder of pages with an index, for a school's own web server.
int site(const LessonVerbOptions& options) {
  if (options.output.empty()) throw usage_error("--all needs the folder to write to: twiddle lesson --all -o DIR");
  const fs::path out = options.output;
  const TemporaryFolder folder;
  LessonRuns runs(folder.path(), options.runtime, options.device);
  std::vector<std::string_view> languages = lesson_languages();
  if (!options.language.empty()) std::erase_if(languages, [&](std::string_view l) { return l != options.language; });
  std::uint64_t pages = 0;
  ProgressBar bar;
  InterruptGuard guard;
  for (const std::string_view language : languages) {
    const std::vector<CourseEntry> entries = course(language);
    fs::create_directories(out / language);
    use_language(language_of(language));
    std::vector<ContentsEntry> contents;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (InterruptGuard::asked()) throw Interrupted("interrupted: the site is not complete");
      bar.show(static_cast<double>(pages) / static_cast<double>(languages.size() * entries.size()), entries[i].id);
      LessonPageOptions page;
      const auto address = [&](const CourseEntry& entry) { return entry.id + ".html"; };
      page.link = [](const std::string& id) { return id + ".html"; };
      page.contents = "index.html";
      page.glossary = "glossary.html";
      if (i > 0) page.previous = address(entries[i - 1]), page.previous_title = entries[i - 1].title;
      if (i + 1 < entries.size()) page.next = address(entries[i + 1]), page.next_title = entries[i + 1].title;
      for (const std::string_view other : languages)
        page.languages.emplace_back(other, fmt::format("../{}/{}", other, address(entries[i])));
      const Lesson lesson = load_lesson(entries[i].file, language);
      write_file(out / language / address(entries[i]), lesson_page(lesson, runs, page));
      const std::string key = entries[i].id + "-key.html";
      for (auto& [code, to] : page.languages) to = fmt::format("../{}/{}", code, key);
      write_file(out / language / key, key_page(lesson, runs, page));
      contents.push_back(contents_entry(entries, i, ""));
      ++pages;
    }
    std::vector<std::pair<std::string, std::string>> others;
    for (const std::string_view other : languages)
      if (other != language) others.emplace_back(other, fmt::format("../{}/index.html", other));
    write_file(out / language / "index.html", contents_page(language, contents, others));
    for (auto& [code, address] : others) address = fmt::format("../{}/glossary.html", code);
    write_file(out / language / "glossary.html", glossary_page(language, others));
  }
  bar.clear();
  // The folder's own page is the first language's contents, with addresses that lead there.
  std::vector<ContentsEntry> first;
  std::vector<std::pair<std::string, std::string>> all;
  for (const std::string_view language : languages) all.emplace_back(language, fmt::format("{}/index.html", language));
  const std::vector<CourseEntry> front = course(languages.front());
  for (std::size_t i = 0; i < front.size(); ++i)
    first.push_back(contents_entry(front, i, fmt::format("{}/", languages.front())));
  write_file(out / "index.html",
             contents_page(languages.front(), first, all, fmt::format("{}/glossary.html", languages.front())));
  print(fmt::format("{} written to {}; open {}\n", counted(pages, "lesson", "lessons"), out.string(),
                    (out / "index.html").string()));
  return 0;
}

int write_lesson(const LessonVerbOptions& options, const Lesson& lesson, LessonRuns& runs) {
  use_language(language_of(lesson.language));
  const std::string ending = fs::path(options.output).extension().string();
  if (options.key && ending != ".html")
    throw usage_error("an answer key is written as .html, not as '{}'", options.output);
  if (options.key)
    write_file(options.output, key_page(lesson, runs));
  else if (ending == ".html")
    write_file(options.output, lesson_page(lesson, runs));
  else if (ending == ".pdf")
    write_file(options.output, std::span<const std::byte>(lesson_pdf(lesson, runs)));
  else if (ending == ".txt" || options.output == "-")
    write_file(options.output, lesson_text(lesson, runs));
  else
    throw usage_error("a lesson is written as .html, .pdf or .txt, not as '{}'", options.output);
  return 0;
}

// The reader's own line in the lesson's first kernel to be filled in, or in that of --step: compiled, run and judged.
int fill_in(const Lesson& lesson, const LessonVerbOptions& options) {
  for (std::size_t s = 0; s < lesson.steps.size(); ++s) {
    if (options.step != 0 && options.step != s + 1) continue;
    for (const QuestionSpec& question : lesson.steps[s].questions) {
      if (question.ask != "build") continue;
      const Answer answer = judged(question, lesson.language, options.fill);
      print(verdict(answer, lesson.language) + "\n");
      return answer.right ? 0 : static_cast<int>(ExitCode::findings);
    }
  }
  throw usage_error("there is no line to fill in in the lesson '{}'", lesson.id);
}

int lesson(const LessonVerbOptions& options) {
  const std::string language = asked_language(options);
  if (options.all) return site(options);
  if (options.lesson.empty() || options.json) {
    print(lessons_list(language, options.json));
    return 0;
  }
  if (options.lesson == "check") return check_lessons(options);
  const TemporaryFolder folder;
  LessonRuns runs(folder.path(), options.runtime, options.device);
  const Lesson lesson = lesson_named(options.lesson, language);
  if (!options.fill.empty()) return fill_in(lesson, options);
  if (!options.screenshot.empty() || (options.output.empty() && is_interactive()))
    return open_lessons(language, lesson, options, options.picture, options.screenshot,
                        std::max<std::uint64_t>(1, options.step));
  if (options.key && options.output.empty()) throw usage_error("--key needs the page to write: -o FILE.html");
  if (!options.output.empty()) return write_lesson(options, lesson, runs);
  print(lesson_text(lesson, runs));
  return 0;
}

}  // namespace

void add_lesson(Program& program) {
  const auto options = std::make_shared<LessonVerbOptions>();
  CLI::App& verb = program.verb(
      "lesson", "Take a lesson, or list the course, or prove that lessons say what the code does",
      "Opens the window on a lesson, or prints it where there is no display or the output goes into a pipe. LESSON is "
      "an id of the course or a Markdown file of your own (docs/writing-lessons.md); without it the course is listed. "
      "`check` traces every lesson's runs and says what in it does not hold, with file and line: the whole course, or "
      "the FILEs named; exit code 1 when there is anything.",
      [options] { return lesson(*options); });
  Completion words{course_ids(), true, {".md"}};
  words.words.emplace_back("check");
  program.complete(add_text(verb, "LESSON", "", "a lesson's id, a file (.md), or check", options->lesson), words);
  program.complete(verb.add_option("FILE", options->files, "for check: files to look at; without, the whole course"),
                   {{}, true, {".md"}});
  add_language_option(program, verb, "the lesson's language", options->language);
  program.complete(
      add_text(verb, "-o,--output", "FILE",
               "write it: .html (one page that steps and asks), .pdf (for print) or .txt; with --all, a folder",
               options->output),
      {{}, true, {".html", ".pdf", ".txt"}});
  add_switch(verb, "--key", "write its answer key, for the teacher (with -o FILE.html)", options->key);
  add_switch(verb, "--all", "write the whole course as a static site with an index", options->all);
  add_switch(verb, "--remarks", "for check: list numbers that are not about the figure, too", options->remarks);
  add_text(verb, "--fill", "CODE", "compile and run a kernel's line filled in like this, and judge it", options->fill);
  add_whole(verb, "--step", "N", "where in the lesson the window opens (1), or the line of --fill is", 1, 100,
            options->step);
  program.complete(
      add_text(verb, "--screenshot", "FILE.png", "write a picture of the window on the lesson (.png or .svg) and leave",
               options->screenshot),
      {{}, true, {".png", ".svg"}});
  add_picture_options(program, verb, options->picture);
  add_switch(verb, "--json", "the list of lessons as JSON (docs/json.md)", options->json);
  add_runtime_options(program, verb, *options);
  program.otherwise([&program, options] {
    const std::string why = why_no_window();
    if (why.empty()) return open_start_page(system_language(), *options, options->picture);
    print(help_text(program));
    print_line("No window was opened: {}. This is the help.", why);
    return 0;
  });
  program.example(verb, "twiddle lesson", "List the course");
  program.example(verb, "twiddle lesson butterfly --lang ja", "Read a lesson in Japanese");
  program.example(verb, "twiddle lesson butterfly -o handout.html",
                  "One page to post or to mail: figures step, questions answer");
  program.example(verb, "twiddle lesson --all -o course", "The course as a site that a school can host");
  program.example(verb, "twiddle lesson check mine.md", "See whether a lesson of your own holds");
}

}  // namespace twiddle::cli
