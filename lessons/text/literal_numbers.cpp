#include "lessons/text/literal_numbers.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace twiddle {
namespace {

// What may be right before or right after digits that are part of a name.
constexpr std::array<std::string_view, 7> names_before = {"radix-", "Radix-", "log_", "基", "基 ", "基数", "基数 "};
constexpr std::array<std::string_view, 4> names_after = {"-D", "次元", "维", "分で"};

// The length of the number at `at`: digits with points and commas between them.
std::size_t number_length(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && (is_digit(text[end]) || ((text[end] == '.' || text[end] == ',') &&
                                                       end + 1 < text.size() && is_digit(text[end + 1]))))
    ++end;
  return end - at;
}

bool is_name(std::string_view text, std::size_t at, std::size_t length) {
  const std::string_view before = text.substr(0, at), after = text.substr(at + length);
  if (!before.empty() && is_letter(before.back())) return true;  // float32, x2, L2
  for (const std::string_view name : names_before)
    if (before.ends_with(name)) return true;
  for (const std::string_view name : names_after)
    if (after.starts_with(name)) return true;
  return false;
}

void check(const std::vector<TextRun>& runs, Complaints& complaints) {
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const TextRun& run = runs[r];
    if (run.reference) continue;
    if (run.code && std::any_of(run.text.begin(), run.text.end(), is_letter)) continue;
    const std::string number = literal_number(run.text);
    if (!number.empty())
      complaints.add(run.line, fmt::format("the number {} is typed; refer to the run with {{{{…}}}}, or write "
                                           "{{{{literal {}}}}} for what is no result",
                                           number, number));
  }
}

}  // namespace

std::string literal_number(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!is_digit(text[at])) continue;
    const std::size_t length = number_length(text, at);
    if (!is_name(text, at, length)) return std::string(text.substr(at, length));
    at += length - 1;
  }
  return "";
}

void check_numbers(const Lesson& lesson, Complaints& complaints) {
  const auto heading = [&](const std::string& title, int line) { check({{.text = title, .line = line}}, complaints); };
  heading(lesson.title, 1);
  heading(lesson.summary, 1);
  for (const LessonStep& step : lesson.steps) {
    heading(step.title, step.line);
    for (const TextBlock& block : step.text)
      if (!block.is_set()) check(block.runs, complaints);
    check(step.notes, complaints);
    check(step.try_it, complaints);
    check(step.answer, complaints);
    for (const QuestionSpec& question : step.questions) {
      check(question.text, complaints);
      check(question.hint, complaints);
      for (const WrittenAnswer& answer : question.answers) {
        check(answer.text, complaints);
        check(answer.why, complaints);
      }
    }
  }
}

}  // namespace twiddle
