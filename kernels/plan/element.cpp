#include "kernels/plan/element.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace twiddle {
namespace {

constexpr std::array<ElementTraits, element_type_count> all_traits{{
    {"int", 4, 1, false, false, ElementType::Int},           {"uint", 4, 1, false, false, ElementType::UInt},
    {"float", 4, 1, true, false, ElementType::Float},        {"double", 8, 1, true, true, ElementType::Double},
    {"int2", 8, 2, false, false, ElementType::Int},          {"uint2", 8, 2, false, false, ElementType::UInt},
    {"float2", 8, 2, true, false, ElementType::Float},       {"double2", 16, 2, true, true, ElementType::Double},
    {"char", 1, 1, false, false, ElementType::Char},         {"uchar", 1, 1, false, false, ElementType::UChar},
    {"short", 2, 1, false, false, ElementType::Short},       {"ushort", 2, 1, false, false, ElementType::UShort},
    {"long", 8, 1, false, true, ElementType::Long},          {"ulong", 8, 1, false, true, ElementType::ULong},
    {"half", 2, 1, true, false, ElementType::Half},          {"char2", 2, 2, false, false, ElementType::Char},
    {"uchar2", 2, 2, false, false, ElementType::UChar},      {"short2", 4, 2, false, false, ElementType::Short},
    {"ushort2", 4, 2, false, false, ElementType::UShort},    {"long2", 16, 2, false, true, ElementType::Long},
    {"ulong2", 16, 2, false, true, ElementType::ULong},      {"half2", 4, 2, true, false, ElementType::Half},
    {"char3", 4, 3, false, false, ElementType::Char},        {"uchar3", 4, 3, false, false, ElementType::UChar},
    {"short3", 8, 3, false, false, ElementType::Short},      {"ushort3", 8, 3, false, false, ElementType::UShort},
    {"int3", 16, 3, false, false, ElementType::Int},         {"uint3", 16, 3, false, false, ElementType::UInt},
    {"long3", 32, 3, false, true, ElementType::Long},        {"ulong3", 32, 3, false, true, ElementType::ULong},
    {"half3", 8, 3, true, false, ElementType::Half},         {"float3", 16, 3, true, false, ElementType::Float},
    {"double3", 32, 3, true, true, ElementType::Double},     {"char4", 4, 4, false, false, ElementType::Char},
    {"uchar4", 4, 4, false, false, ElementType::UChar},      {"short4", 8, 4, false, false, ElementType::Short},
    {"ushort4", 8, 4, false, false, ElementType::UShort},    {"int4", 16, 4, false, false, ElementType::Int},
    {"uint4", 16, 4, false, false, ElementType::UInt},       {"long4", 32, 4, false, true, ElementType::Long},
    {"ulong4", 32, 4, false, true, ElementType::ULong},      {"half4", 8, 4, true, false, ElementType::Half},
    {"float4", 16, 4, true, false, ElementType::Float},      {"double4", 32, 4, true, true, ElementType::Double},
    {"char8", 8, 8, false, false, ElementType::Char},        {"uchar8", 8, 8, false, false, ElementType::UChar},
    {"short8", 16, 8, false, false, ElementType::Short},     {"ushort8", 16, 8, false, false, ElementType::UShort},
    {"int8", 32, 8, false, false, ElementType::Int},         {"uint8", 32, 8, false, false, ElementType::UInt},
    {"long8", 64, 8, false, true, ElementType::Long},        {"ulong8", 64, 8, false, true, ElementType::ULong},
    {"half8", 16, 8, true, false, ElementType::Half},        {"float8", 32, 8, true, false, ElementType::Float},
    {"double8", 64, 8, true, true, ElementType::Double},     {"char16", 16, 16, false, false, ElementType::Char},
    {"uchar16", 16, 16, false, false, ElementType::UChar},   {"short16", 32, 16, false, false, ElementType::Short},
    {"ushort16", 32, 16, false, false, ElementType::UShort}, {"int16", 64, 16, false, false, ElementType::Int},
    {"uint16", 64, 16, false, false, ElementType::UInt},     {"long16", 128, 16, false, true, ElementType::Long},
    {"ulong16", 128, 16, false, true, ElementType::ULong},   {"half16", 32, 16, true, false, ElementType::Half},
    {"float16", 64, 16, true, false, ElementType::Float},    {"double16", 128, 16, true, true, ElementType::Double},
}};

template <typename T>
T load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

template <typename T>
void save(std::byte* at, T value) {
  std::memcpy(at, &value, sizeof value);
}

}  // namespace

const ElementTraits& traits(ElementType type) { return all_traits[static_cast<std::size_t>(type)]; }

ElementType component_type(ElementType type) { return traits(type).scalar; }
std::size_t component_bytes_of(ElementType type) { return traits(traits(type).scalar).bytes; }

std::optional<ElementType> element_type_named(std::string_view name) {
  for (std::size_t i = 0; i < all_traits.size(); ++i)
    if (all_traits[i].name == name) return static_cast<ElementType>(i);
  return std::nullopt;
}

Int128 whole_component(ElementType type, const std::byte* element, int which) {
  const std::byte* at = element + static_cast<std::size_t>(which) * component_bytes_of(type);
  return with_component_type(type, [&]<typename T>() { return static_cast<Int128>(load<T>(at)); });
}

bool is_signed(ElementType type) {
  return with_component_type(type, []<typename T>() { return std::is_signed_v<T>; }) || traits(type).floating;
}

Int128 lowest_of(ElementType type) {
  return with_component_type(type, []<typename T>() { return static_cast<Int128>(std::numeric_limits<T>::lowest()); });
}
Int128 highest_of(ElementType type) {
  return with_component_type(type, []<typename T>() { return static_cast<Int128>(std::numeric_limits<T>::max()); });
}

double component(ElementType type, const std::byte* element, int which) {
  const ElementTraits& make = traits(type);
  const std::byte* at = element + static_cast<std::size_t>(which) * traits(make.scalar).bytes;
  if (make.scalar == ElementType::Half) return from_half(load<std::uint16_t>(at));
  return with_component_type(type, [&]<typename T>() { return static_cast<double>(load<T>(at)); });
}

double wrapped(ElementType type, double value) {
  if (traits(type).floating) return value;
  // Modulo 2^64, by the magnitude: a double next to 2^64 has no neighbour below that is −1 away.
  const double rest = std::isfinite(value) ? std::fmod(std::trunc(value), 0x1p64) : 0;
  const auto magnitude = static_cast<std::uint64_t>(std::abs(rest));
  const std::uint64_t whole = rest < 0 ? 0 - magnitude : magnitude;
  return with_component_type(type, [&]<typename T>() { return static_cast<double>(static_cast<T>(whole)); });
}

void set_component(ElementType type, std::byte* element, int which, double value) {
  const ElementTraits& make = traits(type);
  std::byte* at = element + static_cast<std::size_t>(which) * traits(make.scalar).bytes;
  if (make.scalar == ElementType::Half) return save(at, to_half(value));
  with_component_type(type, [&]<typename T>() { save(at, static_cast<T>(value)); });
}

void set_whole(ElementType type, std::byte* element, int which, Int128 value) {
  std::byte* at = element + static_cast<std::size_t>(which) * component_bytes_of(type);
  with_component_type(type, [&]<typename T>() { save(at, static_cast<T>(value)); });
}

double from_half(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31, fraction = bits & 1023;
  const double magnitude =
      exponent == 31  ? fraction ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity()
       : exponent == 0 ? std::ldexp(fraction, -24)
                      : std::ldexp(1024 + fraction, exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

std::uint16_t to_half(double value) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  const double magnitude = std::abs(value);
  if (magnitude == 0) return sign;
  if (std::isnan(value)) return static_cast<std::uint16_t>(sign | 0x7E00);
  if (magnitude >= 65520) return static_cast<std::uint16_t>(sign | 0x7C00);
  int exponent = 0;
  std::frexp(magnitude, &exponent);  // magnitude = m · 2^exponent, m in [½, 1)
  // Eleven bits, fewer below the smallest normal number; what rounds up to the next power of two carries by itself.
  const int unit = std::max(exponent - 11, -24);
  const auto units = static_cast<int>(std::nearbyint(std::ldexp(magnitude, -unit)));
  return static_cast<std::uint16_t>(sign | (units + (unit == -24 ? 0 : (unit + 24) << 10)));
}

}  // namespace twiddle
