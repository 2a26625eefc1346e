// The questions of a lesson's page: what is written of each, and what the page's script judges answers by.
#pragma once

#include "lessons/questions/questions.h"
#include "lessons/run/course_words.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>

namespace twiddle {

class PageQuestions {
 public:
  /// Of a lesson, its runs and its page's words, which outlive it.
  PageQuestions(const Lesson& lesson, LessonRuns& runs, const CourseWords& words)
      : lesson_(lesson), runs_(runs), words_(words) {}

  /// One question more, as HTML.
  std::string add(const QuestionSpec& spec, const LessonStep& step);

  /// What the script needs of each, and their hints, in the order in which they were added.
  const nlohmann::json& all() const { return all_; }
  const nlohmann::json& hints() const { return hints_; }
  /// Does one ask for factors on a circle, or for samples of a spectrum? A page has what these need only then.
  bool asks_place() const { return asks_place_; }
  bool asks_spectrum() const { return asks_spectrum_; }

 private:
  std::string gap_html(const GapInCode& gap) const;
  std::string spectrum(const SpectrumTask& task);
  std::string circle(const Question& made, std::size_t number) const;

  const Lesson& lesson_;
  LessonRuns& runs_;
  const CourseWords& words_;
  nlohmann::json all_ = nlohmann::json::array(), hints_ = nlohmann::json::array();
  bool asks_place_ = false, asks_spectrum_ = false;
};

}  // namespace twiddle
