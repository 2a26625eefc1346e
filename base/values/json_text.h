// JSON as text.
#pragma once

#include <string>

namespace twiddle {

/// What nlohmann::json (ordered or not) writes, on one line, or with `indent` spaces a level on several. JSON holds UTF-8 alone,
/// and what comes from elsewhere (paths, drivers' names, programs' sources) may be anything: other bytes are U+FFFD. Never throws.
template <typename Json>
std::string json_text(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace twiddle
