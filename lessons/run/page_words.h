// What pages, window and PDF say around a lesson, in the course's languages.
#pragma once

#include <string_view>

namespace twiddle {

enum class PageWord {
  Contents,
  Minutes,  // {} minutes
  StepOf,   // step {} of {}
  Question,
  Right,
  NotQuite,
  TryIt,
  TryCommand,
  Notes,
  StepThrough,
  TooOld,
  Figure,  // the figure's name, for screen readers: run's title, position
  PreviousStep,
  NextStep,
  PreviousLesson,
  NextLesson,
  MadeBy,  // program, device
  Course,
  NoScript,
  Answers,
  Points,  // {} of {} questions
};

std::string_view page_word(PageWord word, std::string_view language);

/// "en", "ja", "zh-Hans": what HTML calls the language.
std::string_view html_language(std::string_view language);
/// What the language calls itself.
std::string_view own_name(std::string_view language);

}  // namespace twiddle
