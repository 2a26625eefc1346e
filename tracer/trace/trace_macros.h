// The macros of trace_device.h as data: what each of them logs, and what its arguments are.
#pragma once

#include "tracer/trace/operation.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace twiddle {

struct TraceMacro {
  std::string_view name;
  Shape shape;
  OperationKind kind;
  int reads, writes, coefficients;
  /// In order, a space apart: B the buffer that is written, or the only one; b the one that is read; r# and o# indices read
  /// and written, c# coefficients, v# and e# values read and written. Without an o#, what is read is written in place.
  std::string_view arguments;

  constexpr int argument_count() const {
    return arguments.empty() ? 0 : 1 + static_cast<int>(std::count(arguments.begin(), arguments.end(), ' '));
  }
  /// How many of the arguments are of a kind: 'r' …
  constexpr int count(char kind_of_argument) const {
    return static_cast<int>(std::count(arguments.begin(), arguments.end(), kind_of_argument));
  }
  /// Which argument is the first of a kind; −1: none.
  constexpr int place(char kind_of_argument) const {
    const std::size_t at = arguments.find(kind_of_argument);
    if (at == std::string_view::npos) return -1;
    const auto before = arguments.begin() + static_cast<std::ptrdiff_t>(at);
    return static_cast<int>(std::count(arguments.begin(), before, ' '));
  }
};

/// One for each shape but None, in their order.
inline constexpr std::array<TraceMacro, shape_count - 1> trace_macros = {{
    {"TRACE_BUTTERFLY", Shape::Butterfly2, OperationKind::Butterfly, 2, 2, 1, "B r0 r1 c0 v0 v1"},
    {"TRACE_BUTTERFLY_TO", Shape::Butterfly2To, OperationKind::Butterfly, 2, 2, 1, "B o0 o1 b r0 r1 c0 v0 v1"},
    {"TRACE_BUTTERFLY4", Shape::Butterfly4, OperationKind::Butterfly, 4, 4, 3, "B r0 r1 r2 r3 c0 c1 c2 v0 v1 v2 v3"},
    {"TRACE_BUTTERFLY4_TO", Shape::Butterfly4To, OperationKind::Butterfly, 4, 4, 3,
     "B o0 o1 o2 o3 b r0 r1 r2 r3 c0 c1 c2 v0 v1 v2 v3"},
    {"TRACE_COMBINE", Shape::Combine, OperationKind::Combine, 2, 1, 0, "B o0 b r0 r1 v0 v1"},
    {"TRACE_SWAP", Shape::Swap, OperationKind::Swap, 2, 2, 0, "B r0 r1 v0 v1"},
    {"TRACE_MOVE", Shape::Move, OperationKind::Move, 1, 1, 0, "B o0 b r0 v0"},
    {"TRACE_ATOMIC", Shape::Atomic, OperationKind::Atomic, 1, 1, 1, "B r0 v0 c0"},
    {"TRACE_SCALE", Shape::Scale, OperationKind::Scale, 1, 1, 1, "B r0 v0 c0"},
    {"TRACE_BARRIER", Shape::Barrier, OperationKind::Barrier, 0, 0, 0, ""},
    {"TRACE_LOAD", Shape::Load, OperationKind::Load, 1, 0, 0, "b r0 v0"},
    {"TRACE_STORE", Shape::Store, OperationKind::Store, 0, 1, 0, "B o0 e0"},
    {"TRACE_PACK", Shape::Pack, OperationKind::Butterfly, 2, 2, 1, "B o0 o1 b r0 r1 c0 v0 v1"},
    {"TRACE_SCALE_TO", Shape::ScaleTo, OperationKind::Scale, 1, 1, 1, "B o0 b r0 v0 c0"},
    {"TRACE_TERM", Shape::Term, OperationKind::Term, 1, 0, 2, "B o0 b r0 c0 v0 c1"},
}};

/// Null where a name is no trace macro's, and for None and butterflies of any radix.
constexpr const TraceMacro* macro_named(std::string_view name) {
  const auto* found = std::find_if(trace_macros.begin(), trace_macros.end(),
                                   [&](const TraceMacro& macro) { return macro.name == name; });
  return found == trace_macros.end() ? nullptr : &*found;
}
constexpr const TraceMacro* macro_of(Shape shape) {
  return shape == Shape::None || legs_of(shape).radix > 0 ? nullptr
                                                          : &trace_macros[static_cast<std::size_t>(shape) - 1];
}

}  // namespace twiddle
