// Questions whose answers come from a trace: the right one from the log, the wrong ones from mistakes that people make,
// each with why.
#pragma once

#include "lessons/questions/turning.h"
#include "lessons/run/lesson_run.h"
#include "lessons/run/spectrum_task.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

struct Answer {
  std::string text, why;
  bool right = false;
};

/// What is done once with all the answers there are: an element clicked, the next of an order, a chip put in its place.
struct Round {
  std::string prompt{};  // the chip in the hand: "w_8^3"; empty where the question says it all
  std::size_t right = 0;
  std::vector<std::string> why;      // of each answer
  std::optional<Turning> turning{};  // of a factor to be placed: the butterfly that it is for
};

/// The function of a kernel around the line that is to be completed, with "____" in its place.
struct GapInCode {
  std::vector<std::string> lines;
  std::size_t at = 0;  // which of the lines

  TextBlock block() const;  // of code
};

struct Question {
  std::string text;
  std::vector<Answer> answers;     // in the order in which they are shown; of a question without rounds one is right
  std::string kind = "choice";     // else "click", "order", "place", "banks", "build" or "spectrum"
  std::vector<Round> rounds{};     // of the first four: one after the other
  std::optional<GapInCode> gap{};  // of "build": the kernel with what is to be filled in
  std::optional<SpectrumTask> task{};  // of "spectrum", which has no answers: what is dragged, and until when
  std::string hint{};                  // where to look, after two wrong tries; empty where there is none
};

/// What is between two sentences: a space, but not in Japanese and Chinese, whose full stop has room of its own.
std::string_view gap_after_sentence(std::string_view language);

/// What is told of an answer: that it is right, once, and why; or why it is not.
std::string verdict(const Answer& answer, std::string_view language);

/// Whether the lines of a "build" question are compiled and run while it is made, for what is told of each, or when an answer is
/// chosen (judged). Opening a lesson runs none.
enum class Builds { Now, Later };

/// A "build" question's answer, compiled, run and judged. Throws as build_and_judge does.
Answer judged(const QuestionSpec& spec, std::string_view language, const std::string& expression);

/// Whether samples with these magnitudes are what a "spectrum" question asks for, and why not: what their spectrum has instead.
Answer judged(const SpectrumTask& task, std::string_view language, const std::vector<double>& magnitudes);
/// What it asks for, as text: "|X[2]| = 4, |X[6]| = 4, the others 0"; and samples that have it: "x = 1, 0, −1, 0, …".
std::string wanted_text(const SpectrumTask& task, std::string_view language);
std::string answer_text(const SpectrumTask& task, std::string_view language);
/// The texts that judged() is made of, for pages, which judge by themselves: {0} … are the places of numbers.
struct SpectrumWords {
  std::string fits, sum, much, little, fitting;
};
SpectrumWords spectrum_words(const SpectrumTask& task, std::string_view language);

/// What a question block may ask for beside "choice".
const std::vector<std::string>& question_kinds();

/// `run` is the step's. Throws Error (usage) when the trace does not answer the question, or two answers agree.
Question make_question(const QuestionSpec& spec, const Lesson& lesson, const std::string& run, LessonRuns& runs,
                       Builds builds = Builds::Now);

/// The question "which access pattern costs more?" of two accesses of one operation, of two stages, launches or runs. `name`
/// and `than_name` are what the author calls the patterns, in words; empty: what is accessed, and where. The right answer comes
/// first. Throws Error (usage) when the two cannot be compared.
Question cost_question(const QuestionSpec& spec, std::string_view language, LessonRun& run, LessonRun& than_run,
                       const std::string& name, const std::string& than_name);

// Text and questions with their references evaluated, ready to be shown; errors name file and line.

/// `run` is the step's. All throw Error (unreadable) with file and line, or no_device.
std::vector<TextRun> resolved(const std::vector<TextRun>& text, const Lesson& lesson, const std::string& run,
                              LessonRuns& runs);
std::vector<TextBlock> resolved(const std::vector<TextBlock>& text, const Lesson& lesson, const std::string& run,
                                LessonRuns& runs);
Question resolved_question(const QuestionSpec& spec, const Lesson& lesson, const std::string& run, LessonRuns& runs,
                           Builds builds = Builds::Now);

}  // namespace twiddle
