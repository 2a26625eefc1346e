// An index as its digits: in base 2 what a bit reversal turns round, in base 4 what radix 4 needs.
#pragma once

#include <cstdint>
#include <string>

namespace twiddle {

/// The digits of an index below `count`, most significant first, with leading zeros: 3 of 8 in base 2 is "011".
std::string digits_of(std::uint64_t index, std::uint64_t count, std::uint64_t base);

/// The index whose digits are those of `index`, read backwards: 3 of 8 in base 2 is 6.
std::uint64_t read_backwards(std::uint64_t index, std::uint64_t count, std::uint64_t base);

}  // namespace twiddle
