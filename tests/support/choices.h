// What an algorithm's parameters let one choose: "exact | native | table", and sizes.
#pragma once

#include "base/error.h"
#include "kernels/catalogue/catalogue.h"

#include <algorithm>
#include <cstdint>
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

/// The request with the first of the sizes n, 2n, 4n … that the algorithm takes.
inline Request with_size_taken(Request request) {
  for (const std::uint64_t most = request.n.value_or(1) << 10; request.n && *request.n < most; *request.n *= 2) try {
      make_plan(request);
      return request;
    } catch (const Error&) {  // too small
    }
  return request;
}

}  // namespace twiddle
