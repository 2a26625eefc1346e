// In which pieces a trace is kept.
#pragma once

#include <cstddef>
#include <cstdint>

namespace twiddle::schema {

inline constexpr std::size_t content_chunk = 1 << 20;  // bytes of a buffer in one piece of first content
inline constexpr std::size_t access_chunk = 1 << 16;   // accesses in one piece, unless one item made more
inline constexpr std::size_t patch_chunk = 1 << 16;    // elements in one patch
inline constexpr std::size_t summary_ranges = 1024;
inline constexpr std::uint64_t min_summarised = 4096;         // smaller buffers are quicker replayed
inline constexpr std::size_t max_summarised_segments = 4096;  // later segments have no summaries

}  // namespace twiddle::schema
