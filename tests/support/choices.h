// What an algorithm's parameters let one choose: "exact | native | table".
#pragma once

#include "kernels/catalogue/catalogue.h"

#include <algorithm>
#include <string>
#include <vector>

namespace twiddle {

inline bool has_parameter(const Algorithm& algorithm, const std::string& parameter) {
  return std::any_of(algorithm.parameters.begin(), algorithm.parameters.end(),
                     [&](const Parameter& p) { return p.name == parameter; });
}

/// The words that a parameter may take, where the catalogue lists them.
inline std::vector<std::string> choices(const Parameter& parameter) {
  std::vector<std::string> words;
  std::string rest = parameter.values;
  if (rest.find(" | ") == std::string::npos) return words;
  for (std::size_t at = rest.find(" | "); at != std::string::npos; at = rest.find(" | ")) {
    words.push_back(rest.substr(0, at));
    rest = rest.substr(at + 3);
  }
  words.push_back(rest);
  return words;
}

inline void set_choice(Request& request, const std::string& parameter, const std::string& word) {
  if (parameter == "type")
    request.type = word;
  else if (parameter == "twiddles")
    request.twiddles = word;
  else if (parameter == "sign")
    request.sign = word;
  else if (parameter == "method")
    request.method = word;
  else
    request.more[parameter] = word;
  if (parameter == "transform") request.method = "transpose";
}

/// The request with each choice of each parameter, one at a time. A launch whose whole grid waits for itself is left out:
/// not every runtime has that.
inline std::vector<Request> with_each_choice(const Algorithm& algorithm, const Request& request) {
  std::vector<Request> all;
  for (const Parameter& parameter : algorithm.parameters)
    for (const std::string& word : choices(parameter)) {
      if (word == "cooperative") continue;
      all.push_back(request);
      set_choice(all.back(), parameter.name, word);
    }
  return all;
}

}  // namespace twiddle
