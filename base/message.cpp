#include "base/message.h"

#include <fmt/args.h>

#include <ostream>
#include <utility>

namespace twiddle {
namespace {

// A translation has a space between a Chinese character and a place, for a number or a foreign word ("第 {} 步"). Where Chinese
// fills the place there is none; nor between two places that Chinese fills. While it is being filled such a space is a character
// of no language's.
constexpr std::string_view open_space = "\uE000";

bool han_before(std::string_view text, std::size_t end) {
  return end >= 3 && static_cast<unsigned char>(text[end - 3]) >= 0xE4 &&
         static_cast<unsigned char>(text[end - 3]) <= 0xE9;
}
bool han_at(std::string_view text, std::size_t at) {
  return at + 3 <= text.size() && static_cast<unsigned char>(text[at]) >= 0xE4 &&
         static_cast<unsigned char>(text[at]) <= 0xE9;
}

// Whether a character is as wide as a Chinese one and so needs no space beside one: 、 “ ， （ and the characters themselves.
bool wide_before(std::string_view text, std::size_t end) {
  if (end < 3) return end == 0;
  const std::string_view last = text.substr(end - 3, 3);
  return han_before(text, end) || last.starts_with("\xE3") || last.starts_with("\xEF\xBC") ||
         last.starts_with("\xEF\xBD") || last == "“" || last == "”" || last == "…" || last == "—";
}

std::string with_open_spaces(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool before_place =
        at + 1 < text.size() && text[at + 1] == '{' && (han_before(text, at) || (at > 0 && text[at - 1] == '}'));
    const bool after_place = at > 0 && text[at - 1] == '}' && han_at(text, at + 1);
    if (text[at] == ' ' && (before_place || after_place))
      out += open_space;
    else
      out += text[at];
  }
  return out;
}

std::string with_settled_spaces(std::string text) {
  for (std::size_t at = 0; (at = text.find(open_space, at)) != std::string::npos;) {
    std::size_t end = at + open_space.size();
    while (std::string_view(text).substr(end).starts_with(open_space)) end += open_space.size();
    const bool none =
        end == text.size() || (wide_before(text, at) && (end + 3 > text.size() ? false : wide_before(text, end + 3)));
    text.replace(at, end - at, none ? "" : " ");
  }
  return text;
}

}  // namespace

Message Message::verbatim(std::string text) {
  Message message;
  if (text.empty()) return message;
  message.id = "{}";
  message.arguments.push_back({std::move(text)});
  return message;
}

Message Message::of(std::string_view text) {
  Message message;
  message.id = text;
  return message;
}

Message& Message::operator+=(Message more) {
  Message both("{}{}", *this, more);
  return *this = std::move(both);
}

std::string Message::in(const TextsOfALanguage* texts) const {
  fmt::dynamic_format_arg_store<fmt::format_context> filling;
  for (const Argument& argument : arguments)
    std::visit(
        [&]<typename T>(const T& value) {
          if constexpr (std::same_as<T, Message>)
            filling.push_back(value.in(texts));
          else
            filling.push_back(value);
        },
        argument.value);
  if (texts)
    if (const auto found = texts->find(id); found != texts->end()) try {
        if (found->second.find("} ") == std::string::npos && found->second.find(" {") == std::string::npos)
          return fmt::vformat(found->second, filling);
        return with_settled_spaces(fmt::vformat(with_open_spaces(found->second), filling));
      } catch (const fmt::format_error&) {  // a translation that does not fit
      }
  try {
    return fmt::vformat(many.empty() || count == 1 ? id : many, filling);
  } catch (const fmt::format_error&) { return id; }  // read from a file
}

std::ostream& operator<<(std::ostream& out, const Message& message) { return out << message.english(); }

}  // namespace twiddle
