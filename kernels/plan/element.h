// The element types a buffer may have, under OpenCL's names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace twiddle {

/// The numbering is stored in trace files and used by trace_device.h: never renumber.
enum class ElementType : std::uint8_t { Int = 0, UInt, Float, Double, Int2, UInt2, Float2, Double2 };

inline constexpr int element_type_count = 8;

struct ElementTraits {
  std::string_view name;  // "float2", the same in OpenCL C and CUDA C++
  std::size_t bytes;      // of one element
  int components;         // 1, or 2 for the complex and pair types
  bool floating;          // float or double
  bool wide;              // 64-bit components
};

/// Name, size and make of a type.
const ElementTraits& traits(ElementType type);

/// The type with this name ("int", "uint", "float", "double" and their 2-vectors), or nothing.
std::optional<ElementType> element_type_named(std::string_view name);

/// A whole number that any integer type holds.
__extension__ using Int128 = __int128;
/// One component of an integer type, exactly.
Int128 whole_component(ElementType type, const std::byte* element, int which);
/// Whether the type's components can be below zero.
bool is_signed(ElementType type);

/// One component (0 = real or x, 1 = imaginary or y) of the element at `element`, widened to double (exact for every type).
double component(ElementType type, const std::byte* element, int which);

/// What a component of the type holds after arithmetic whose exact outcome is `value`: whole numbers wrap around at 2^32,
/// and |value| must be below 2^63; floating-point values stay as they are.
double wrapped(ElementType type, double value);

/// The inverse: rounds `value` to the type's precision. For integer types the caller has made sure that it is a whole
/// number in range.
void set_component(ElementType type, std::byte* element, int which, double value);

}  // namespace twiddle
