#include "tracer/file/message_json.h"

#include <nlohmann/json.hpp>

#include <concepts>
#include <optional>
#include <utility>

namespace twiddle {
namespace {

using Json = nlohmann::json;

// What a file may ask to be put together: far more than any sentence of ours needs, and little enough to be no burden.
constexpr int max_depth = 4;
constexpr std::size_t max_places = 8, max_text = 4096;

/// Places are "{}" or "{2}": a width of a billion is none.
bool places_plain(std::string_view text) {
  if (text.size() > max_text) return false;
  std::size_t places = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '}') return false;
    if (text[at] != '{') continue;
    ++at;
    if (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
    if (at >= text.size() || text[at] != '}' || ++places > max_places) return false;
  }
  return true;
}

std::optional<Message> read_message(const Json& json, int depth) {
  if (depth > max_depth || !json.is_object() || !json.contains("text") || !json["text"].is_string())
    return std::nullopt;
  Message message = Message::of(json["text"].get<std::string>());
  if (!places_plain(message.id)) return std::nullopt;
  for (const Json& one : json.value("with", Json::array())) {
    if (message.arguments.size() >= max_places) return std::nullopt;
    if (one.is_string() && one.get_ref<const std::string&>().size() <= max_text) {
      message.arguments.push_back({one.get<std::string>()});
    } else if (one.is_number_unsigned()) {
      message.arguments.push_back({one.get<std::uint64_t>()});
    } else if (one.is_number_integer()) {
      message.arguments.push_back({one.get<std::int64_t>()});
    } else if (one.is_number_float()) {
      message.arguments.push_back({one.get<double>()});
    } else if (auto inner = read_message(one, depth + 1)) {
      message.arguments.push_back({std::move(*inner)});
    } else {
      return std::nullopt;
    }
  }
  return message;
}

}  // namespace

Json json_of(const Message& message) {
  if (!message.many.empty()) return json_of(Message::verbatim(message.english()));
  Json with = Json::array();
  for (const Message::Argument& argument : message.arguments)
    std::visit(
        [&]<typename T>(const T& value) {
          if constexpr (std::same_as<T, Message>)
            with.push_back(json_of(value));
          else
            with.push_back(value);
        },
        argument.value);
  return {{"text", message.id}, {"with", std::move(with)}};
}

Message message_of(const Json& json, const std::string& english) {
  if (auto message = read_message(json, 1); message && message->english() == english) return std::move(*message);
  return Message::verbatim(english);
}

}  // namespace twiddle
