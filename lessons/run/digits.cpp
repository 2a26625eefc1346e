#include "lessons/run/digits.h"

namespace twiddle {

std::string digits_of(std::uint64_t index, std::uint64_t count, std::uint64_t base) {
  std::string text;
  for (std::uint64_t size = 1; size < count; size *= base, index /= base)
    text.insert(text.begin(), static_cast<char>('0' + index % base));
  return text.empty() ? "0" : text;
}

std::uint64_t read_backwards(std::uint64_t index, std::uint64_t count, std::uint64_t base) {
  std::uint64_t backwards = 0;
  for (std::uint64_t size = 1; size < count; size *= base, index /= base) backwards = backwards * base + index % base;
  return backwards;
}

}  // namespace twiddle
