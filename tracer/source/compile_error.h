// What is thrown when a compiler refuses a kernel's source.
#pragma once

#include "base/error.h"

#include <string>

namespace twiddle {

/// The compiler's own words (usage), and what trace lines want where one of them is meant.
inline Error does_not_compile(const std::string& name, const std::string& log) {
  // The trace macros' own functions, which nothing else calls.
  const bool trace_line = log.find("trace_put") != std::string::npos || log.find("trace_type") != std::string::npos;
  return usage_error("{} does not compile:\n{}{}", name, log,
                     trace_line ? "\n(a trace line takes a pointer to elements and values of their type: of an array "
                                  "of rows give it the first row, as in TRACE_STORE(tile[0], y * width + x, v))"
                                : "");
}

}  // namespace twiddle
