// Which lines a fix replaces.
#pragma once

#include "tracer/checks/finding.h"

#include <algorithm>

namespace twiddle {

/// The last of them: where several lines change together, `is` and `should` have "\n" between them.
inline int last_line_of(const Fix& fix) {
  return fix.line + static_cast<int>(std::count(fix.is.begin(), fix.is.end(), '\n'));
}

}  // namespace twiddle
