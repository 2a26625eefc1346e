#pragma once

#include <cstdint>

namespace twiddle {

/// An access that met no memory.
struct StrayAccess {
  enum class Kind { Unknown, Read, Write };
  std::uintptr_t address = 0;
  Kind kind = Kind::Unknown;
};

}  // namespace twiddle
