// Sentences for users: an English text with places, and what fills them. The words are chosen where the sentence is shown:
// English on the command line and in files, the reader's language in the window, in handouts and on pages.
#pragma once

#include "base/tr.h"

#include <fmt/format.h>

#include <concepts>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace twiddle {

class Message {
 public:
  struct Argument;

  Message() = default;
  /// Message("{} of {} samples", 3, "x"): the English is checked when it is compiled, and is what catalogues know it by.
  /// A Message among the arguments is translated with it; other arguments that are no numbers are texts as they are.
  template <typename... Arguments>
  explicit Message(fmt::format_string<Arguments...> text, const Arguments&... arguments);
  /// The form that a number asks for: `one` in English of 1, else `many`. The arguments fill either.
  template <typename... Arguments>
  static Message plural(std::uint64_t count, fmt::format_string<Arguments...> one,
                        fmt::format_string<Arguments...> many, const Arguments&... arguments);
  /// A text without places that catalogues know: one marked by translatable(), a launch's label.
  static Message of(std::string_view text);
  /// A text that is the same in every language: what a user or a driver wrote.
  static Message verbatim(std::string text);

  bool empty() const { return id.empty(); }
  /// The one right after the other.
  Message& operator+=(Message more);
  std::string english() const { return in(nullptr); }
  /// In the language that is set, or in that of a code of set_language(); in English what has no translation.
  std::string translated() const { return in(current_texts()); }
  std::string translated(std::string_view language) const { return in(texts_of(language)); }

  /// Compares the English.
  friend bool operator==(const Message& a, const Message& b) { return a.english() == b.english(); }
  friend bool operator==(const Message& a, std::string_view b) { return a.english() == b; }
  friend std::ostream& operator<<(std::ostream& out, const Message& message);

  std::string id;                   // the English text as fmt reads it; of a plural the form of 1
  std::string many;                 // of a plural the other form
  std::uint64_t count = 1;          // of a plural
  std::vector<Argument> arguments;  // in the order of the English text's

 private:
  std::string in(const TextsOfALanguage* texts) const;
};

struct Message::Argument {
  std::variant<std::string, std::int64_t, std::uint64_t, float, double, Message> value;

  template <typename T>
  static Argument of(const T& value) {
    if constexpr (std::same_as<T, Message>)
      return {value};
    else if constexpr (std::same_as<T, float> || std::same_as<T, double>)
      return {value};
    else if constexpr (std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char>)
      return {static_cast<std::conditional_t<std::signed_integral<T>, std::int64_t, std::uint64_t>>(value)};
    else if constexpr (std::convertible_to<const T&, std::string_view>)
      return {std::string(std::string_view(value))};
    else
      return {fmt::vformat("{}", fmt::make_format_args(value))};  // fmt::format() takes no view that has a name
  }
};

template <typename... Arguments>
Message::Message(fmt::format_string<Arguments...> text, const Arguments&... filling)
    : id(fmt::string_view(text).data(), fmt::string_view(text).size()), arguments{Argument::of(filling)...} {}

template <typename... Arguments>
Message Message::plural(std::uint64_t count, fmt::format_string<Arguments...> one,
                        fmt::format_string<Arguments...> many, const Arguments&... filling) {
  Message message(one, filling...);
  message.many.assign(fmt::string_view(many).data(), fmt::string_view(many).size());
  message.count = count;
  return message;
}

/// A text with places, filled, in the language that is set: tr("step {} of {}", 3, 12).
template <typename First, typename... Rest>
std::string tr(fmt::format_string<First, Rest...> text, const First& first, const Rest&... rest) {
  return Message(text, first, rest...).translated();
}

}  // namespace twiddle

/// In a text that is put together for the command line or a file: the English.
template <>
struct fmt::formatter<twiddle::Message> : fmt::formatter<std::string_view> {
  template <typename Context>
  auto format(const twiddle::Message& message, Context& context) const {
    return fmt::formatter<std::string_view>::format(message.english(), context);
  }
};
