// What a lesson's sentence says of a run, held against its trace: {{is four: …}}, {{true: …}}, {{see F[3]}}.
#pragma once

#include "lessons/run/figure.h"
#include "lessons/run/lesson_run.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

/// A claim as it is written between the braces.
struct Claim {
  enum class Kind { Is, True, See };
  Kind kind = Kind::Is;
  std::string words;       // what is printed: "four", "the fourth row", "F[3]"; nothing of a `true`
  std::string expression;  // of `is` and `true`; of `see` what has to be drawn: "F[3]", "item 5", "bank 3", "'bank'"
  double unit = 0;         // of `is`: rounded to whole multiples of it; 0: to the digits typed
};
/// Nothing where a reference is no claim. Throws Error (usage) where it is written wrongly.
std::optional<Claim> parse_claim(std::string_view reference);

/// Whether an `is` only reckons with numbers of its own, {{is twelve: 3 * 4}}: then it holds nothing against the run.
bool is_arithmetic(const Claim& claim);

/// The number in some words: "four", "twenty-four", "a hundred", "2,048", "-3.5", "四つ", "二十八"; the first where there are
/// several. `digits`: how many are typed after its point.
struct WordedNumber {
  double value = 0;
  int digits = 0;
};
std::optional<WordedNumber> number_in_words(std::string_view words);

/// Evaluates the expression of `is` or `true`: references, numbers and 'texts' with + - * / between them and at most one
/// comparison; or `every SUBJECT in POSITION < …`, `no SUBJECT in POSITION = …`, where SUBJECT and what it is compared with are
/// the operations' own: power, span, stride, item, stage, launch, line, read K, write K. Throws Error (usage), "says four, the
/// run has 5", where it is false, and where it cannot be evaluated.
void hold(const Claim& claim, const Lesson& lesson, const std::string& run, LessonRuns& runs);

/// Where a figure at a place shows what a `see` names, in the scene's px: each of its marks once, and of an element that is drawn
/// after several segments what it holds by then. Empty where it does not.
std::vector<Box> places_of(const Claim& claim, const FigurePlace& place, const Scene& scene);

/// Throws Error (usage) where what a `see` names is not drawn, whole and large enough, in any of the step's views at one of the
/// sizes that figures have: page, phone, print and window.
void hold_seen(const Claim& claim, const Lesson& lesson, const LessonStep& step, LessonRuns& runs);

}  // namespace twiddle
