#include "lessons/pages/pages.h"

#include "base/error.h"
#include "lessons/questions/questions.h"
#include "lessons/run/reference.h"
#include "viewer/scene/languages.h"
#include "viewer/scene/line_breaks.h"
#include "viewer/words/operation_text.h"

#include <fmt/format.h>

namespace twiddle {
namespace {

// `folded` breaks text into lines of the page, given what is before the first and before the others.
template <typename Folded>
std::string block_text(const TextBlock& block, const std::string& words, const Folded& folded) {
  switch (block.kind) {
    case TextBlock::Kind::Code:
    case TextBlock::Kind::Plot:
    case TextBlock::Kind::Formula: {
      std::string out = "    ";
      for (const char c : words) {
        out += c;
        if (c == '\n') out += "    ";
      }
      return out + "\n";
    }
    case TextBlock::Kind::Item: {
      const std::string indent(static_cast<std::size_t>(block.depth) * 2, ' ');
      return folded(words, indent + (block.number > 0 ? fmt::format("{}. ", block.number) : "- "), indent + "  ");
    }
    case TextBlock::Kind::Quote: return folded(words, "  | ", "  | ");
    default: return folded(words, "", "");
  }
}

}  // namespace

std::string lesson_text(const Lesson& lesson, LessonRuns& runs) {
  const auto folded = [&](const std::string& text, const std::string& first, const std::string& rest) {
    return twiddle::folded(text, 88, first, rest, language_of(lesson.language));
  };
  std::string out = lesson.title + "\n";
  if (!lesson.summary.empty()) out += "\n" + folded(lesson.summary, "", "");
  for (const LessonStep& step : lesson.steps) {
    out += fmt::format("\n── {}\n\n", step.title);
    const auto words = [&](const std::vector<TextRun>& text) {
      std::string out_of;
      for (const TextRun& run : resolved(text, lesson, step.figure.run, runs)) out_of += run.text;
      return out_of;
    };
    for (const TextBlock& block : step.text) out += block_text(block, words(block.runs), folded) + "\n";
    const LessonRunSpec* spec = lesson.run_named(step.figure.run);
    if (!spec) throw unreadable("{}:{}: there is no run '{}'", lesson.file.string(), step.line, step.figure.run);
    LessonRun& run = runs.run(spec->request);
    const StepRange range = steps_at(run, step.figure.at);
    out += fmt::format("    $ twiddle view {} --at {}\n", shown_command(spec->request), step.figure.at);
    if (range.last > 0) out += folded(sentence(run.info(), run.replay().operation(range.last)), "    ", "    ");
    for (const QuestionSpec& asked : step.questions) {
      const Question question = resolved_question(asked, lesson, step.figure.run, runs, Builds::Later);
      out += "\n" + folded(question.text, "  ? ", "    ");
      if (question.gap)
        for (const std::string& line : question.gap->lines) out += "      " + line + "\n";
      if (!question.rounds.empty()) {
        std::string all;
        for (const Answer& answer : question.answers) all += (all.empty() ? "" : "  ") + answer.text;
        out += folded(all, "    ", "    ");
        continue;
      }
      if (question.task) continue;
      char letter = 'a';
      for (const Answer& answer : question.answers)
        out += folded(answer.text, fmt::format("    {}) ", letter++), "       ");
    }
    if (!step.try_it.empty()) out += "\n" + folded(words(step.try_it), "  > ", "    ");
  }
  return out;
}

}  // namespace twiddle
