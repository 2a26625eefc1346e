// Images in the log of a twin: which texel a coordinate means, and what of a value is in memory. The device logs coordinates as
// the kernel gave them; what they mean depends on the image and on the sampler, which only the host knows.
#pragma once

#include "kernels/plan/plan.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace twiddle {

/// An image as an argument. Texels are in memory row by row, slice by slice, without gaps.
struct ImageMemory {
  std::array<std::uint64_t, 3> size{1, 1, 1};  // texels in each dimension; of an array, its layers come last
  int channels = 4;                            // of a texel: 1, 2 or 4
  ElementType channel = ElementType::Float;    // as it is in memory
  bool normalised = false;                     // of integer channels: kernels see 0 … 1 or −1 … 1

  std::uint64_t texel_bytes() const { return static_cast<std::uint64_t>(channels) * traits(channel).bytes; }
  std::uint64_t bytes() const { return size[0] * size[1] * size[2] * texel_bytes(); }
  bool operator==(const ImageMemory&) const = default;
};

/// What a place in a kernel does with an image.
struct TexelAccess {
  int dimensions = 2;  // of a slice, 1 … 3; an array's layer is one coordinate more
  bool array = false;
  bool fractions = false;    // coordinates are floats
  bool half_values = false;  // what the function takes or gives: half4 in place of 32 bits a channel
  bool writes = false;

  int coordinates() const { return dimensions + array; }
  /// Words of 64 bits that a log has for a value.
  unsigned value_words() const { return half_values ? 1 : 2; }
};

/// A sampler as the log names it: OpenCL's own numbers, as literals in kernels have them.
std::uint32_t sampler_bits(const SamplerArgument& sampler);
/// Of a read without a sampler: coordinates count texels and are in the image.
inline constexpr std::uint32_t no_sampler_bits = 0x10;

/// Where an access goes: a texel; the border around the image, which is no memory; a place outside of the image where there
/// must be one; or the space between texels, which reads several and blends them.
struct TexelPlace {
  enum class Where : std::uint8_t { Inside, Border, Outside, Between } where = Where::Inside;
  std::array<std::int64_t, 3> at{};  // Inside: the texel; Outside: the coordinates as given
};
/// `coordinates` are 32 bits each, the rest zero.
TexelPlace texel_place(const TexelAccess& access, const ImageMemory& image, std::uint32_t sampler,
                       const std::array<std::uint32_t, 3>& coordinates);

/// The bytes in memory of a texel whose value a kernel read or wrote; `words` as the log has them.
std::vector<std::byte> texel_bytes(const TexelAccess& access, const ImageMemory& image,
                                   std::span<const std::uint64_t> words);

}  // namespace twiddle
