// What a compiled CUDA program says of itself beside its kernels' parameters: its variables, the lines that publish or wait, and
// what of it a log of accesses would not show.
#pragma once

#include "base/message.h"
#include "tracer/access/access.h"

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace twiddle::cuda {

/// A variable of a kernel's blocks (`__shared__`), or of the file (`__device__`, `__constant__`).
struct Variable {
  std::string symbol;  // as the compiled program has it
  std::string name;    // as the source names it: "tile"
  Space space = Space::Global;
  ElementType type = ElementType::UInt;  // of its elements, as far as the compiled program says
  std::size_t alignment = 1;
  std::size_t bytes = 0;  // 0: as many as a launch hands over (`extern __shared__`)
};

/// Variables at file scope, in the order of a PTX text; strings that a compiler made are none.
std::vector<Variable> file_variables(std::string_view ptx);

/// The shared variables that a kernel uses itself or that its device functions do, as far as these were not inlined.
std::vector<Variable> shared_variables(std::string_view ptx, const std::string& kernel_symbol);

/// Lines that access memory that is shared, or may be, each with its file as the compiler names it: volatile or stronger, and
/// else. Machine code does not tell the one from the other.
struct SharedLines {
  using Place = std::pair<std::string, int>;
  std::set<Place> strong, plain_loads, plain_stores;
};
SharedLines shared_lines(std::string_view ptx);

/// Why a log would show a kernel's items less ordered than they are: it has barriers or copies that nothing tells of. Empty: it
/// has none.
Message unseen_order(std::string_view ptx);

}  // namespace twiddle::cuda
