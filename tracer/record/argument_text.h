// The arguments of recorded launches, as a plan file writes them.
#pragma once

#include "kernels/plan/element.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace twiddle {

/// "int:8", "float2:1,0" of the bytes of a value, where its type is one of the elements' and has so many bytes; else
/// "Params:0x0400000000002041", with the type as it was written, or "bytes".
std::string recorded_text(std::optional<ElementType> type, const std::string& written,
                          std::span<const std::byte> bytes);

}  // namespace twiddle
