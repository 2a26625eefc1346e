// The steps that were jumped from, for Back and Forward.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace twiddle {

struct Trail {
  std::vector<std::uint64_t> steps;  // the first jumped from first
  std::size_t at = 0;                // where Back and Forward are among them; steps.size(): after the last

  /// Records a jump from a step, to which Back returns. The steps of Forward are dropped.
  void leave(std::uint64_t step);
  /// Back (−1), Forward (1), or several at once; `here` is the current step. The step it leads to, if there is one.
  std::optional<std::uint64_t> go(std::ptrdiff_t by, std::uint64_t here);
};

}  // namespace twiddle
