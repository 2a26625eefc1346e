#include "kernels/plan/element.h"

#include <array>
#include <cstring>

namespace twiddle {
namespace {

constexpr std::array<ElementTraits, element_type_count> all_traits{{
    {"int", 4, 1, false, false},
    {"uint", 4, 1, false, false},
    {"float", 4, 1, true, false},
    {"double", 8, 1, true, true},
    {"int2", 8, 2, false, false},
    {"uint2", 8, 2, false, false},
    {"float2", 8, 2, true, false},
    {"double2", 16, 2, true, true},
}};

template <typename T>
double load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return static_cast<double>(value);
}

template <typename T>
void save(std::byte* at, double value) {
  const T narrowed = static_cast<T>(value);
  std::memcpy(at, &narrowed, sizeof narrowed);
}

}  // namespace

const ElementTraits& traits(ElementType type) { return all_traits[static_cast<std::size_t>(type)]; }

std::optional<ElementType> element_type_named(std::string_view name) {
  for (std::size_t i = 0; i < all_traits.size(); ++i)
    if (all_traits[i].name == name) return static_cast<ElementType>(i);
  return std::nullopt;
}

double component(ElementType type, const std::byte* element, int which) {
  const std::size_t offset = static_cast<std::size_t>(which);
  switch (type) {
    case ElementType::Int:
    case ElementType::Int2: return load<std::int32_t>(element + 4 * offset);
    case ElementType::UInt:
    case ElementType::UInt2: return load<std::uint32_t>(element + 4 * offset);
    case ElementType::Float:
    case ElementType::Float2: return load<float>(element + 4 * offset);
    case ElementType::Double:
    case ElementType::Double2: return load<double>(element + 8 * offset);
  }
  return 0;
}

Int128 whole_component(ElementType type, const std::byte* element, int which) {
  return static_cast<Int128>(component(type, element, which));
}

bool is_signed(ElementType type) { return type != ElementType::UInt && type != ElementType::UInt2; }

double wrapped(ElementType type, double value) {
  if (traits(type).floating) return value;
  const auto word = static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
  return type == ElementType::Int || type == ElementType::Int2 ? static_cast<double>(static_cast<std::int32_t>(word))
                                                               : static_cast<double>(word);
}

void set_component(ElementType type, std::byte* element, int which, double value) {
  const std::size_t offset = static_cast<std::size_t>(which);
  switch (type) {
    case ElementType::Int:
    case ElementType::Int2: return save<std::int32_t>(element + 4 * offset, value);
    case ElementType::UInt:
    case ElementType::UInt2: return save<std::uint32_t>(element + 4 * offset, value);
    case ElementType::Float:
    case ElementType::Float2: return save<float>(element + 4 * offset, value);
    case ElementType::Double:
    case ElementType::Double2: return save<double>(element + 8 * offset, value);
  }
}

}  // namespace twiddle
