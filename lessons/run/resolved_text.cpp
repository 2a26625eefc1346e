#include "lessons/run/resolved_text.h"

#include "lessons/run/reference.h"

namespace twiddle {

std::vector<TextRun> resolved(const std::vector<TextRun>& text, const Lesson& lesson, const std::string& run,
                              LessonRuns& runs) {
  std::vector<TextRun> out = text;
  for (TextRun& part : out)
    if (part.reference) part.text = at_line(lesson, part.line, [&] { return evaluate(part.text, lesson, run, runs); });
  return out;
}

std::vector<TextBlock> resolved(const std::vector<TextBlock>& text, const Lesson& lesson, const std::string& run,
                                LessonRuns& runs) {
  std::vector<TextBlock> out = text;
  for (TextBlock& block : out) block.runs = resolved(block.runs, lesson, run, runs);
  return out;
}

Question resolved_question(const QuestionSpec& spec, const Lesson& lesson, const std::string& run, LessonRuns& runs) {
  return at_line(lesson, spec.line, [&] { return make_question(spec, lesson, run, runs); });
}

}  // namespace twiddle
