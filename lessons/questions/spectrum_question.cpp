// Samples that are dragged until their spectrum fits: what is asked, and what is told of a spectrum that does not.
#include "lessons/questions/question_parts.h"
#include "lessons/run/course_words.h"
#include "viewer/words/value_text.h"

#include <fmt/format.h>

namespace twiddle {
namespace {

constexpr int digits_told = 3;

// A text of spectrum_words() with its numbers.
std::string with_numbers(std::string text, std::initializer_list<std::string> numbers) {
  std::size_t place = 0;
  for (const std::string& number : numbers) {
    const std::string sign = fmt::format("{{{}}}", place++);
    for (std::size_t at = 0; (at = text.find(sign, at)) != std::string::npos; at += number.size())
      text.replace(at, sign.size(), number);
  }
  return text;
}

}  // namespace

SpectrumWords spectrum_words(const SpectrumTask& task, std::string_view language) {
  const CourseWords words(language);
  // The names are put in at once, the numbers later: they are what is judged.
  const auto named = [&](const char* text) {
    std::string out = words.unfilled(text);
    for (std::size_t at = 0; (at = out.find("{3}", at)) != std::string::npos; at += task.output.size())
      out.replace(at, 3, task.output);
    return out;
  };
  return {named(translatable("Yes: every bar is within {0} of what was asked for.")),
          named(translatable("|{3}[0]| is {0}, and {1} is asked for: bin 0 is the sum of all samples.")),
          named(translatable("|{3}[{2}]| is {0}, and {1} is asked for: there is too much of the wave k = {2}.")),
          named(translatable("|{3}[{2}]| is {0}, and {1} is asked for: there is too little of the wave k = {2}.")),
          named(translatable("{0} of {1} bars fit."))};
}

Answer judged(const SpectrumTask& task, std::string_view language, const std::vector<double>& magnitudes) {
  const SpectrumWords say = spectrum_words(task, language);
  // What is nothing but for rounding is told as nothing.
  const auto number = [&](double value) {
    return number_text(value < task.goal.within / 100 ? 0 : value, digits_told);
  };
  const std::optional<SpectrumMiss> miss = miss_of(task.goal, magnitudes);
  if (!miss) return {"", with_numbers(say.fits, {number(task.goal.within)}), true};
  const std::string& text = miss->bin == 0 ? say.sum : miss->has > miss->wanted ? say.much : say.little;
  return {"",
          with_numbers(text, {number(miss->has), number(miss->wanted), std::to_string(miss->bin)}) +
              std::string(gap_after_sentence(language)) +
              with_numbers(say.fitting, {std::to_string(miss->fitting), std::to_string(task.goal.wanted.size())}),
          false};
}

std::string wanted_text(const SpectrumTask& task, std::string_view language) {
  const CourseWords words(language);
  std::string text;
  std::size_t empty = 0;
  for (std::size_t k = 0; k < task.goal.wanted.size(); ++k) {
    if (task.goal.wanted[k] <= task.goal.within) {
      ++empty;
      continue;
    }
    text += fmt::format("{}|{}[{}]| = {}", text.empty() ? "" : ", ", task.output, k,
                        number_text(task.goal.wanted[k], digits_told));
  }
  return empty == 0 ? text : words("{0}, the others 0", text);
}

std::string answer_text(const SpectrumTask& task, std::string_view language) {
  const CourseWords words(language);
  std::string samples;
  for (const double sample : task.answer) samples += (samples.empty() ? "" : ", ") + number_text(sample, digits_told);
  return words("For example {0} = {1}; other samples with the same magnitudes are right, too.", task.input, samples);
}

Question spectrum_question(const QuestionSpec& spec, std::string_view language, LessonRun& run, LessonRuns& runs) {
  const CourseWords words(language);
  Question question;
  question.kind = "spectrum";
  question.task = spectrum_task(spec, run, runs);
  question.text = words("Drag the samples of {0} until the spectrum {1} has the dashed bars: {2}.",
                        question.task->input, question.task->output, wanted_text(*question.task, language));
  return question;
}

}  // namespace twiddle
