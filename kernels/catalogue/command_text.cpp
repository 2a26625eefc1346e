#include "kernels/catalogue/command_text.h"

#include <fmt/format.h>

namespace twiddle {

std::string command_of(const Request& request) {
  std::string text = request.algorithm;
  for (const auto& [name, value] : given_parameters(request))
    text += name == "inverse" ? " --inverse" : fmt::format(" --{} {}", name, value);
  return text;
}

}  // namespace twiddle
