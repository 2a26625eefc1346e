#include "tracer/record/argument_text.h"

#include <fmt/format.h>

namespace twiddle {

std::string value_text(std::optional<ElementType> type, const std::string& written, std::span<const std::byte> bytes) {
  std::string text;
  if (type && bytes.size() == traits(*type).bytes) {
    text = fmt::format("{}:", traits(*type).name);
    for (int c = 0; c < traits(*type).components; ++c)
      text += fmt::format("{}{}", c ? "," : "", component(*type, bytes.data(), c));
    return text;
  }
  text = written.empty() ? "bytes:0x" : written + ":0x";
  for (const std::byte byte : bytes) text += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
  return text;
}

}  // namespace twiddle
