// An index as its digits: in base 2 what a bit reversal turns round, in base 4 what radix 4 needs.
#pragma once

#include <cstdint>
#include <string>

namespace twiddle {

/// The digits of an index below `count`, most significant first, with leading zeros: 3 of 8 in base 2 is "011".
inline std::string digits_of(std::uint64_t index, std::uint64_t count, std::uint64_t base) {
  std::string text;
  for (std::uint64_t size = 1; size < count; size *= base, index /= base)
    text.insert(text.begin(), static_cast<char>('0' + index % base));
  return text.empty() ? "0" : text;
}

/// The index whose digits are those of `index`, read backwards: 3 of 8 in base 2 is 6.
inline std::uint64_t read_backwards(std::uint64_t index, std::uint64_t count, std::uint64_t base) {
  std::uint64_t backwards = 0;
  for (std::uint64_t size = 1; size < count; size *= base, index /= base) backwards = backwards * base + index % base;
  return backwards;
}

}  // namespace twiddle
