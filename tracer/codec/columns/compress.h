// Columns of equal elements as zstd frames. Bytes are shuffled first: all lowest bytes of the elements, then all second
// bytes, and so on, so that the bytes that hardly vary are together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace twiddle {

/// A difference so that small ones of either sign are small numbers, and back.
template <typename Word>
Word fold(Word difference) {
  return static_cast<Word>((difference << 1) ^ (Word(0) - (difference >> (8 * sizeof(Word) - 1))));
}
template <typename Word>
Word unfold(Word folded) {
  return static_cast<Word>((folded >> 1) ^ (Word(0) - (folded & 1)));
}

/// A zstd frame of `bytes`, shuffled as elements of `element` bytes (1: as they are). The frame states its content's size.
std::vector<std::byte> compress(std::span<const std::byte> bytes, std::size_t element);

/// The inverse, for a frame that must hold exactly `out.size()` bytes: anything else throws Error (unreadable).
void decompress(std::span<const std::byte> frame, std::size_t element, std::span<std::byte> out);

/// What the frame says it holds, at most `limit`. Throws Error (unreadable) when it does not say, or says more.
std::uint64_t decompressed_size(std::span<const std::byte> frame, std::uint64_t limit);

}  // namespace twiddle
