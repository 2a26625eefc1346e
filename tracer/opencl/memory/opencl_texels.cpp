#include "tracer/opencl/memory/opencl_texels.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace twiddle {
namespace {

// As OpenCL's headers number them.
constexpr std::uint32_t normalised_bit = 1, addressing_bits = 0xe, edge = 2, border = 4, repeat = 6, mirror = 8,
                        nearest_bit = 0x10, linear_bit = 0x20;

std::int64_t whole(float value) {
  if (std::isnan(value)) return std::numeric_limits<std::int32_t>::min();
  constexpr float most = 1 << 30;
  return static_cast<std::int64_t>(std::clamp(value, -most, most));
}

// One coordinate of a texel, before it is held against the image: OpenCL's rules for the nearest one.
std::int64_t nearest(std::uint32_t bits, bool fraction, std::uint32_t sampler, std::uint64_t size) {
  if (!fraction) return static_cast<std::int32_t>(bits);
  const auto given = std::bit_cast<float>(bits), length = static_cast<float>(size);
  if (!(sampler & normalised_bit)) return whole(std::floor(given));
  const auto last = static_cast<std::int64_t>(size) - 1;
  switch (sampler & addressing_bits) {
    case repeat: {
      const std::int64_t at = whole(std::floor((given - std::floor(given)) * length));
      return at > last ? at - static_cast<std::int64_t>(size) : at;
    }
    case mirror: {
      const float turned = std::fabs(given - 2.0f * std::rint(0.5f * given));
      return std::min(whole(std::floor(turned * length)), last);
    }
    default: return whole(std::floor(given * length));
  }
}

template <typename Integer>
Integer normalised_integer(float value) {
  constexpr auto most = static_cast<float>(std::numeric_limits<Integer>::max());
  const float least = std::numeric_limits<Integer>::is_signed ? -most : 0;
  if (std::isnan(value)) return 0;
  return static_cast<Integer>(std::nearbyint(std::clamp(value * most, least, most)));
}

template <typename Integer>
Integer clamped(std::uint32_t bits) {
  if (std::numeric_limits<Integer>::is_signed)
    return static_cast<Integer>(std::clamp<std::int64_t>(
        static_cast<std::int32_t>(bits), std::numeric_limits<Integer>::min(), std::numeric_limits<Integer>::max()));
  return static_cast<Integer>(std::min<std::uint64_t>(bits, std::numeric_limits<Integer>::max()));
}

}  // namespace

std::uint32_t sampler_bits(const SamplerArgument& sampler) {
  std::uint32_t bits = sampler.linear ? linear_bit : nearest_bit;
  if (sampler.normalised) bits |= normalised_bit;
  switch (sampler.outside) {
    case SamplerArgument::Outside::Border: return bits | border;
    case SamplerArgument::Outside::Edge: return bits | edge;
    case SamplerArgument::Outside::Repeat: return bits | repeat;
    case SamplerArgument::Outside::Mirror: return bits | mirror;
    default: return bits;
  }
}

TexelPlace texel_place(const TexelAccess& access, const ImageMemory& image, std::uint32_t sampler,
                       const std::array<std::uint32_t, 3>& coordinates) {
  if (access.writes) sampler = no_sampler_bits;
  TexelPlace place;
  const std::uint32_t addressing = sampler & addressing_bits;
  if ((sampler & linear_bit) && access.fractions) {
    place.where = TexelPlace::Where::Between;
    return place;
  }
  for (int d = 0; d < access.coordinates(); ++d) {
    const auto c = static_cast<std::size_t>(d);
    const bool layer = access.array && d == access.dimensions;
    const auto last = static_cast<std::int64_t>(image.size[c]) - 1;
    if (layer) {  // rounded and clamped, with any sampler
      place.at[c] = access.fractions ? whole(std::rint(std::bit_cast<float>(coordinates[c])))
                                     : static_cast<std::int32_t>(coordinates[c]);
      if (!access.writes) place.at[c] = std::clamp<std::int64_t>(place.at[c], 0, last);
    } else {
      place.at[c] = nearest(coordinates[c], access.fractions, sampler, image.size[c]);
      if (addressing == edge) place.at[c] = std::clamp<std::int64_t>(place.at[c], 0, last);
    }
    if (place.at[c] < 0 || place.at[c] > last)
      place.where = addressing == border ? TexelPlace::Where::Border : TexelPlace::Where::Outside;
  }
  return place;
}

std::vector<std::byte> texel_bytes(const TexelAccess& access, const ImageMemory& image,
                                   std::span<const std::uint64_t> words) {
  std::vector<std::byte> bytes(image.texel_bytes());
  const std::size_t each = traits(image.channel).bytes;
  for (int c = 0; c < image.channels; ++c) {
    // The channel as the function takes or gives it.
    const auto channel = static_cast<std::size_t>(c);
    std::uint32_t bits = access.half_values ? static_cast<std::uint16_t>(words[0] >> (16 * channel))
                                            : static_cast<std::uint32_t>(words[channel / 2] >> (32 * (channel % 2)));
    if (access.half_values)
      bits = std::bit_cast<std::uint32_t>(static_cast<float>(from_half(static_cast<std::uint16_t>(bits))));
    const auto number = std::bit_cast<float>(bits);
    switch (image.channel) {
      case ElementType::UChar:
        bits = image.normalised ? normalised_integer<std::uint8_t>(number) : clamped<std::uint8_t>(bits);
        break;
      case ElementType::Char:
        bits = static_cast<std::uint32_t>(image.normalised ? normalised_integer<std::int8_t>(number)
                                                           : clamped<std::int8_t>(bits));
        break;
      case ElementType::UShort:
        bits = image.normalised ? normalised_integer<std::uint16_t>(number) : clamped<std::uint16_t>(bits);
        break;
      case ElementType::Short:
        bits = static_cast<std::uint32_t>(image.normalised ? normalised_integer<std::int16_t>(number)
                                                           : clamped<std::int16_t>(bits));
        break;
      case ElementType::Half: bits = to_half(number); break;
      default: break;  // 32 bits, as they are
    }
    std::memcpy(bytes.data() + channel * each, &bits, each);
  }
  return bytes;
}

}  // namespace twiddle
