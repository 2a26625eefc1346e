#include "kernels/gallery/gallery_plan.h"

#include <fmt/format.h>

namespace twiddle {

Plan gallery_plan(const Request& request, const std::string& title, std::uint64_t n, const std::string& size,
                  bool right, const char* signal) {
  Plan plan;
  plan.title = Message::verbatim(fmt::format("{}{}, {}", title, right ? " (right)" : "", size));
  plan.signal = request.signal.empty() ? signal : request.signal;
  plan.parameters["n"] = fmt::format("{}", n);
  return plan;
}

std::vector<std::string> right_defines(bool right) {
  return right ? std::vector<std::string>{"RIGHT=1"} : std::vector<std::string>{};
}

}  // namespace twiddle
