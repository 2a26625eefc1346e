// The element types a buffer may have, under OpenCL's names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace twiddle {

/// The numbering is stored in trace files, and the first eight are trace_device.h's: never renumber, append only.
enum class ElementType : std::uint8_t {
  Int = 0,
  UInt,
  Float,
  Double,
  Int2,
  UInt2,
  Float2,
  Double2,
  Char,
  UChar,
  Short,
  UShort,
  Long,
  ULong,
  Half,
  Char2,
  UChar2,
  Short2,
  UShort2,
  Long2,
  ULong2,
  Half2,
  Char3,
  UChar3,
  Short3,
  UShort3,
  Int3,
  UInt3,
  Long3,
  ULong3,
  Half3,
  Float3,
  Double3,
  Char4,
  UChar4,
  Short4,
  UShort4,
  Int4,
  UInt4,
  Long4,
  ULong4,
  Half4,
  Float4,
  Double4,
  Char8,
  UChar8,
  Short8,
  UShort8,
  Int8,
  UInt8,
  Long8,
  ULong8,
  Half8,
  Float8,
  Double8,
  Char16,
  UChar16,
  Short16,
  UShort16,
  Int16,
  UInt16,
  Long16,
  ULong16,
  Half16,
  Float16,
  Double16,
};

inline constexpr int element_type_count = 66;
/// Those that trace lines can log: the first ones.
inline constexpr int logged_type_count = 8;

struct ElementTraits {
  std::string_view name;  // "float2", the same in OpenCL C and CUDA C++
  std::size_t bytes;      // of one element; a vector of 3 takes as much as one of 4
  int components;         // 1, 2 for the complex and pair types, 3, 4, 8 or 16
  bool floating;          // half, float or double
  bool wide;              // 64-bit components
  ElementType scalar;     // the type of one component
};

/// Name, size and make of a type.
const ElementTraits& traits(ElementType type);

/// The type of one component.
ElementType component_type(ElementType type);
/// The bytes of one component.
std::size_t component_bytes_of(ElementType type);

/// The type with this name ("int", "float2", "uchar16"), or nothing. `size_t`, `bool` and C's longer names are none.
std::optional<ElementType> element_type_named(std::string_view name);

/// A whole number that any integer type holds.
__extension__ using Int128 = __int128;
/// One component of an integer type, exactly.
Int128 whole_component(ElementType type, const std::byte* element, int which);
/// Whether the type's components can be below zero.
bool is_signed(ElementType type);
/// The range of an integer type's components.
Int128 lowest_of(ElementType type);
Int128 highest_of(ElementType type);

/// One component (0 = real or x, 1 = imaginary or y …) of the element at `element`, widened to double (exact for every type but
/// whole numbers beyond 2^53).
double component(ElementType type, const std::byte* element, int which);

/// What a component of the type holds after arithmetic whose exact outcome is `value`: whole numbers wrap around at the type's
/// width, and are 0 where that has no answer (infinite, no number); floating-point values stay as they are.
double wrapped(ElementType type, double value);

/// The inverse of component(): rounds `value` to the type's precision. For integer types the caller has made sure that it is a
/// whole number in range.
void set_component(ElementType type, std::byte* element, int which, double value);
/// The same of a whole number in range, exactly, into an integer type.
void set_whole(ElementType type, std::byte* element, int which, Int128 value);

/// Calls `use.template operator()<T>()` with the C++ type of one component; a half is a std::uint16_t of bits there.
template <typename Use>
auto with_component_type(ElementType type, Use use) {
  switch (traits(type).scalar) {
    case ElementType::Char: return use.template operator()<std::int8_t>();
    case ElementType::UChar: return use.template operator()<std::uint8_t>();
    case ElementType::Short: return use.template operator()<std::int16_t>();
    case ElementType::UShort:
    case ElementType::Half: return use.template operator()<std::uint16_t>();
    case ElementType::UInt: return use.template operator()<std::uint32_t>();
    case ElementType::Long: return use.template operator()<std::int64_t>();
    case ElementType::ULong: return use.template operator()<std::uint64_t>();
    case ElementType::Float: return use.template operator()<float>();
    case ElementType::Double: return use.template operator()<double>();
    default: return use.template operator()<std::int32_t>();
  }
}

/// IEEE binary16, rounded to the nearest, ties to even.
double from_half(std::uint16_t bits);
std::uint16_t to_half(double value);

}  // namespace twiddle
