#include "kernels/catalogue/command_text.h"

#include "base/error.h"
#include "kernels/signal/signal.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace twiddle {

std::string command_of(const Request& request) {
  std::string text = request.algorithm;
  for (const auto& [name, value] : given_parameters(request))
    text += name == "inverse" ? " --inverse" : fmt::format(" --{} {}", name, value);
  return text;
}

std::optional<Request> request_in(const std::string& text, const Request& from) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  Request request = from;
  std::size_t at = 0;
  const bool whole = !words.empty() && words[0] == "twiddle";
  if (whole) {
    if (words.size() < 3 || (words[1] != "view" && words[1] != "trace")) return std::nullopt;
    at = 2;
  }
  if (at < words.size() && !words[at].starts_with("--")) {
    const auto known = [&](const auto& list) {
      return std::any_of(list.begin(), list.end(), [&](const Algorithm& one) { return one.id == words[at]; });
    };
    if (!known(algorithms()) && !known(gallery())) return std::nullopt;
    if (words[at] != from.algorithm) request = Request{};
    request.algorithm = words[at++];
  } else if (whole || at == words.size()) {
    return std::nullopt;
  }
  for (; at < words.size(); ++at) {
    if (!words[at].starts_with("--")) return std::nullopt;
    const std::string name = words[at].substr(2);
    const bool is_switch = name == "inverse";
    if (!is_switch && ++at == words.size()) return std::nullopt;
    const std::string value = is_switch ? "true" : words[at];
    if (name == "signal" && names_signal_file(value)) return std::nullopt;  // a file of the reader's own
    if (name == "signal" && request.algorithm.ends_with(".toml")) {         // any plan takes one
      request.signal = value;
      continue;
    }
    try {  // a plan's own parameters are not looked up here
      const auto& parameters = find_algorithm(request.algorithm).parameters;
      if (std::none_of(parameters.begin(), parameters.end(), [&](const Parameter& one) { return one.name == name; }))
        return std::nullopt;
      set_parameter(request, name, value);
    } catch (const Error&) { return std::nullopt; }
  }
  return request;
}

}  // namespace twiddle
