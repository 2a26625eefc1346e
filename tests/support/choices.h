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

/// The request with each choice of each parameter, one at a time. A launch whose whole grid waits for itself is left out:
/// not every runtime has that.
inline std::vector<Request> with_each_choice(const Algorithm& algorithm, const Request& request) {
  std::vector<Request> all;
  for (const Parameter& parameter : algorithm.parameters)
    for (const std::string& word : choices(parameter)) {
      if (parameter.values.find(" | ") == std::string::npos || word == "cooperative") continue;
      all.push_back(request);
      set_parameter(all.back(), parameter.name, word);
      if (parameter.name == "transform") all.back().method = "transpose";
    }
  return all;
}

}  // namespace twiddle
