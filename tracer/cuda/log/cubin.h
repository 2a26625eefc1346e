// What a cubin tells about its instructions: functions, static shared memory, and, with -lineinfo, the lines that they come from.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

struct CubinLine {
  std::uint64_t offset = 0;  // bytes from the start of the function's section; holds up to the next one's
  std::string file;
  int line = 0;
};

/// A part of a kernel's section that has a name of its own: a device function that was not inlined.
struct CubinPart {
  std::uint64_t offset = 0, bytes = 0;
  std::string name;
};

struct CubinFunction {
  std::uint64_t bytes = 0;
  std::uint64_t shared_bytes = 0;  // static, what the system reserves among them
  std::vector<CubinLine> lines;    // by offset
  std::vector<CubinPart> parts;
  /// Instructions that order memory (MEMBAR, CCTL.IVALL), and loads and stores of global memory that a program waits for or
  /// publishes with (volatile, relaxed and stronger): offsets, ascending. Of compute capability 8.0 and above.
  std::vector<std::uint64_t> fences, strong;
  /// Votes, matches and reductions across a warp that the program asks for: offsets, ascending. Of compute capability 7.0 and
  /// above.
  std::vector<std::uint64_t> votes;

  /// The line of an instruction; null where the table has none.
  const CubinLine* line_at(std::uint64_t offset) const;
};

using Cubin = std::map<std::string, CubinFunction, std::less<>>;  // by mangled name

/// Reads an ELF file of NVIDIA's. Throws Error (unreadable) when it is none, or damaged.
Cubin read_cubin(std::string_view bytes);

/// "stage(float2*, unsigned int)" of "_Z5stageP6float2j"; other names as they are.
std::string demangled(const std::string& name);

}  // namespace twiddle
