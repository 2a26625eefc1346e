// A lesson as it was read from its file: Markdown text in steps, each with a figure, and questions. Numbers of results are
// references ({{…}}) that are evaluated on a trace; nothing here has run yet. The format is in docs/writing-lessons.md.
#pragma once

#include "kernels/catalogue/catalogue.h"

#include <filesystem>
#include <string>
#include <vector>

namespace twiddle {

/// A stretch of text with one look.
struct TextRun {
  std::string text{};      // of a reference: what is between the braces
  bool reference = false;  // to be evaluated
  bool code = false, strong = false, emphasis = false;
  std::string link{};  // id of another lesson
  std::string term{};  // of the glossary, in all languages: what is pointed at says so
  int line = 0;        // of the file, from 1
};

/// A paragraph, a list's item, lines of code, or what text_plot.h draws.
struct TextBlock {
  enum class Kind { Paragraph, Item, Code, Formula, Quote, Plot };
  /// Whether its words are no prose.
  bool is_set() const { return kind == Kind::Code || kind == Kind::Formula || kind == Kind::Plot; }
  Kind kind = Kind::Paragraph;
  int depth = 0;   // of an item, from 0
  int number = 0;  // of an item in a numbered list; 0: a bullet
  std::vector<TextRun> runs;
  int line = 0;
};

/// A trace that was kept, in place of an algorithm: a recording that cannot be made where the lesson is read.
inline bool names_kept_trace(std::string_view algorithm) { return algorithm.ends_with(".twd"); }

/// A run that figures, references and questions refer to.
struct LessonRunSpec {
  std::string name;  // "run", or what follows "runs."
  Request request;   // its algorithm may be a kept trace's path
  int line = 0;
};

/// What is seen beside a step's text.
struct Figure {
  std::string run;                 // name of a LessonRunSpec
  std::string at;                  // a position, "start" or "end"
  std::vector<std::string> views;  // by name, at least one
  std::string light;               // an element ("F[3]") whose cone is lit; empty: none
};

/// An answer that the lesson's author wrote.
struct WrittenAnswer {
  std::vector<TextRun> text, why;
};

/// What is asked: one of the kinds that questions.h makes from a trace, or "choice" with written answers.
struct QuestionSpec {
  std::string ask, run, at, element;
  // Of "cost": the second pattern (empty: as the first), and which access of an operation is meant ("read 1").
  std::string than, than_run, access, than_access;
  std::vector<TextRun> name, than_name;  // what the patterns are called; empty: what is accessed, and where
  std::vector<TextRun> text;             // the question in words; empty: the kind's own
  std::vector<WrittenAnswer> answers;    // of "choice": the right one first
  std::vector<TextRun> hint;             // where to look after two wrong tries; empty: the kind's own
  std::string find;                      // of "click" and "order": "partner", "read" or "write"
  std::string plan, hole;  // of "build": the plan file, and the code of its kernel that is to be filled in
  int points = 0;          // of "place": places on the circle; 0: two for each step
  std::string target;      // of "spectrum": the signal whose spectrum is looked for
  int within = 0;          // … and how far off a bin may be, in hundredths of the largest; 0: ten
  int line = 0;
};

struct LessonStep {
  std::string title;
  Figure figure;
  std::vector<TextBlock> text;
  std::vector<TextRun> notes;   // the presenter's
  std::vector<TextRun> try_it;  // what to change; the command to start from is added
  std::vector<TextRun> answer;  // what is seen then; empty: the learner is left to find out
  // Where the run to try is looked at, and in which views; empty: at its end, and in those of the figure.
  std::string try_at;
  std::vector<std::string> try_views;
  int minutes = 0;  // 0: not said
  std::vector<QuestionSpec> questions;
  int line = 0;
};

struct Lesson {
  std::string id;        // "butterfly", from the file's name without its number
  std::string language;  // "en", "ja", "zh"
  int number = 0;        // place in the course, from the file's name; 0: none
  std::filesystem::path file;
  std::string title, summary;
  std::string group;               // of lessons in the contents: "The idea"
  std::vector<std::string> needs;  // ids of the lessons that come before
  std::vector<std::string> can;    // what one can do afterwards
  int minutes = 0;
  std::vector<LessonRunSpec> runs;
  std::vector<LessonStep> steps;

  const LessonRunSpec* run_named(std::string_view name) const;
};

/// Something wrong with a lesson's file.
struct Complaint {
  std::filesystem::path file;
  int line = 0;
  std::string sentence;
  std::string text() const;  // "lessons/en/03-butterfly.md:12: there is no view 'butterfy'; …"
};

/// Collects them, so that an author sees all at once; bounded.
class Complaints {
 public:
  explicit Complaints(std::filesystem::path file) : file_(std::move(file)) {}
  void add(int line, std::string sentence);
  const std::vector<Complaint>& list() const { return list_; }
  /// Something that may be meant as it is: it is counted, and listed where it is asked for.
  void remark(int line, std::string sentence);
  const std::vector<Complaint>& remarks() const { return remarks_; }
  const std::filesystem::path& file() const { return file_; }

  static constexpr std::size_t most = 50;

 private:
  std::filesystem::path file_;
  std::vector<Complaint> list_, remarks_;
};

/// Files larger than this are no lessons.
inline constexpr std::size_t max_lesson_file = 1 << 20;

/// Reads a lesson and says everything that is wrong with its form. `language` is empty for a user's own file, which
/// then says itself, or is English.
Lesson parse_lesson(std::string_view text, const std::filesystem::path& file, std::string_view language,
                    Complaints& complaints);

/// The same from a file. Throws Error (unreadable), the first complaint or why the file cannot be read.
Lesson load_lesson(const std::filesystem::path& file, std::string_view language = {});

}  // namespace twiddle
