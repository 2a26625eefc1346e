#include "tracer/record/argument_text.h"

#include "kernels/plan/plan_text.h"

#include <fmt/format.h>

namespace twiddle {

std::string recorded_text(std::optional<ElementType> type, const std::string& written,
                          std::span<const std::byte> bytes) {
  if (type && bytes.size() == traits(*type).bytes) return scalar_text(*type, bytes);
  std::string text = written.empty() ? "bytes:0x" : written + ":0x";
  for (const std::byte byte : bytes) text += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
  return text;
}

}  // namespace twiddle
