#include "base/message.h"

#include <fmt/args.h>

#include <ostream>
#include <utility>

namespace twiddle {

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
        return fmt::vformat(found->second, filling);
      } catch (const fmt::format_error&) {  // a translation that does not fit
      }
  try {
    return fmt::vformat(many.empty() || count == 1 ? id : many, filling);
  } catch (const fmt::format_error&) { return id; }  // read from a file
}

std::ostream& operator<<(std::ostream& out, const Message& message) { return out << message.english(); }

}  // namespace twiddle
