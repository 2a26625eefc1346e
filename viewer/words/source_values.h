// What the variables of a kernel held when a line ran, as far as the log or the launch itself says.
#pragma once

#include "tracer/trace/operation.h"
#include "tracer/trace/trace.h"
#include "viewer/scene/scene.h"

#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

/// A value shown at the right of a source line (numbered from 1).
struct LineValue {
  int line = 0;
  std::string name;  // of the variable or element: "i0", "F[i0]"
  std::string text;  // "(−4, 0)"
  Role plate = Role::None, underline = Role::None;
};

/// The arguments of the trace line on the lines that define them, what was written on the lines that write it, ids that
/// the line asks for, and scalar arguments of the launch where the kernel declares them. In the order of lines.
std::vector<LineValue> live_values(const TraceInfo& info, const Operation& operation);

/// A source text as lines, tabs as spaces, without line ends.
std::vector<std::string> source_lines(std::string_view text);

/// The first line of a kernel's definition in these lines and the line of its closing brace (from 1); 0 when not found.
struct LineRange {
  int first = 0, last = 0;
};
LineRange kernel_lines(const std::vector<std::string>& lines, std::string_view kernel);

}  // namespace twiddle
