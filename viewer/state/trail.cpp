#include "viewer/state/trail.h"

namespace twiddle {

void Trail::leave(std::uint64_t step) {
  constexpr std::size_t max_steps = 64;
  steps.resize(at);
  if (steps.empty() || steps.back() != step) steps.push_back(step);
  if (steps.size() > max_steps) steps.erase(steps.begin());
  at = steps.size();
}

std::optional<std::uint64_t> Trail::go(std::ptrdiff_t by, std::uint64_t here) {
  auto to = static_cast<std::ptrdiff_t>(at);
  if (by < 0 && at == steps.size()) {
    if (steps.empty()) return std::nullopt;
    // Forward returns to the step at which Back was used.
    if (steps.back() != here)
      steps.push_back(here);
    else
      --to;
  }
  to += by;
  if (to < 0 || to >= static_cast<std::ptrdiff_t>(steps.size())) return std::nullopt;
  at = static_cast<std::size_t>(to);
  return steps[at];
}

}  // namespace twiddle
