// What questions and pages say around a lesson, in its course's language, not the program's.
#pragma once

#include "base/message.h"
#include "viewer/scene/languages.h"

#include <string>
#include <string_view>

namespace twiddle {

class CourseWords {
 public:
  /// "en", "ja" or "zh".
  explicit CourseWords(std::string_view language) : catalogue_(catalogue_code(language_of(language))) {}

  /// words("Step {} of {}", 1, 3)
  template <typename... Arguments>
  std::string operator()(fmt::format_string<Arguments...> text, const Arguments&... arguments) const {
    return Message(text, arguments...).translated(catalogue_);
  }
  std::string operator()(const Message& message) const { return message.translated(catalogue_); }
  /// Things side by side: "3, 4, 5", with the comma of lists.
  template <typename Things>
  std::string list(const Things& things) const {
    std::string text;
    for (const auto& thing : things) {
      const std::string more = fmt::format("{}", thing);
      text = text.empty() ? more : (*this)("{0}, {1}", text, more);
    }
    return text;
  }
  /// With its places as they are.
  std::string unfilled(const char* text) const { return tr_in(catalogue_, text); }

 private:
  std::string_view catalogue_;
};

}  // namespace twiddle
