// What launches ask of memory as a whole, counted as a GPU's own counters count it.
#pragma once

#include "tracer/replay/replay.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

/// What is counted: sectors that loads and stores of global memory ask for, access by access; passes through the banks of local
/// memory for loads, stores and atomics; and what atomics on global memory cost where it is, by sector the most lanes that
/// meet at an element.
enum class MemoryCounter : std::uint8_t {
  SectorsRead = 0,
  SectorsWritten,
  PassesRead,
  PassesWritten,
  PassesAtomic,
  SectorsAtomic,
};
inline constexpr std::size_t memory_counters = 6;
std::string_view name_of(MemoryCounter counter);  // "sectors read", …

struct MemoryCounts {
  int launch = 0;
  std::string kernel;
  std::array<std::uint64_t, memory_counters> count{};

  std::uint64_t& of(MemoryCounter counter) { return count[static_cast<std::size_t>(counter)]; }
};

/// Of every launch, from its trace lines in lockstep: as the kernel is written, not as a compiler makes it. Four loads of one
/// element each that are logged of a load of 16 bytes are one access. Takes as long as lockstep: for small traces.
std::vector<MemoryCounts> count_memory(Replay& replay);

}  // namespace twiddle
