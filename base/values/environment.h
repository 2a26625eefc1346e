// What is set in the environment.
#pragma once

#include <cstdlib>
#include <string>

namespace twiddle {

/// A variable's value; empty where it is not set, or set to nothing.
inline std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

}  // namespace twiddle
