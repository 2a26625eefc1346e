// Other data in the place of what is there, for a launch that is run once more to see what its writes depend on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace twiddle {

/// Launches that have more bytes of memory than this are not run again.
inline constexpr std::uint64_t max_probed_bytes = std::uint64_t(256) << 20;

/// Puts others in the place of floating numbers of 4 or 8 bytes (anything else stays), of the same range, so that nothing new is
/// larger than what was. Where all are the same, between zero (or of zeros, 1) and that one.
void fill_with_others(std::vector<std::byte>& bytes, int number_bytes, std::minstd_rand& random);

}  // namespace twiddle
