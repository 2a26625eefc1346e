// What a memory access costs a sub-group in lockstep: sectors of global memory, passes through the banks of local memory,
// turns at atomics. The rules are those of NVIDIA's GPUs; tests hold them to the counters of an H200.
#pragma once

#include "tracer/cost/sub_group.h"
#include "tracer/trace/operation.h"
#include "tracer/trace/trace.h"

#include <array>
#include <cstdint>
#include <span>

namespace twiddle {

inline constexpr std::uint64_t sector_bytes = 32;

/// The element of a buffer that each lane accesses.
struct SubGroupAccess {
  std::array<std::uint32_t, sub_group_size> element;  // by lane; of idle lanes undefined
  std::uint32_t active = 0;                           // bit t: lane t takes part

  void add(std::uint64_t lane, std::uint64_t index) {
    element[lane] = static_cast<std::uint32_t>(index);
    active |= std::uint32_t(1) << lane;
  }
  bool takes_part(std::uint64_t lane) const { return (active >> lane & 1) != 0; }
};

/// Elements of a load of 16 bytes, the largest that there is, where they are of so many bytes each.
constexpr std::size_t parts_of_vector(std::size_t element_bytes) {
  return element_bytes == 1 || element_bytes == 2 || element_bytes == 4 || element_bytes == 8 ? 16 / element_bytes : 1;
}
inline constexpr std::size_t max_vector_parts = 16;

/// Global memory is fetched and written in sectors of 32 bytes.
struct SectorCost {
  SmallList<std::uint64_t, max_vector_parts * sub_group_size> elements;  // that are touched, each once, ascending
  SmallList<std::uint64_t, 4 * sub_group_size> sectors;  // that hold them, counted from the buffer's start, ascending
  std::uint64_t bytes = 0;                               // of `elements`

  std::uint64_t fetched() const { return static_cast<std::uint64_t>(sectors.size()) * sector_bytes; }  // bytes
};
/// Of one access, or of several to one buffer that are served together: what one of them fetches, the others find in the
/// cache. `element_bytes`: a power of two up to 16; of less than 4 only the parts of vectors may be more than four accesses.
SectorCost sector_cost(std::span<const SubGroupAccess> accesses, std::uint64_t element_bytes);

/// Whether these accesses are the elements of one vector that each lane loads, vectors of neighbouring lanes beside each other: a
/// load that is logged element by element.
bool is_vector_load(std::span<const SubGroupAccess> parts);

/// Local memory serves 128 bytes at a time, as far as they are in different banks: a sub-group's elements of 4 bytes are one
/// request, of 8 bytes two, of 16 bytes four, each of neighbouring lanes. Where every lane of a load reads the same element
/// as a neighbour, two requests become one.
struct BankCost {
  struct Request {
    int lanes = 0;              // that take part
    std::uint64_t element = 0;  // of the first of them
    int degree = 0;             // passes: the most different words in one bank
  };
  SmallList<Request, 4> requests;
  std::array<std::uint8_t, sub_group_size> pass{};  // by lane that takes part: the pass that serves it, from 0, if the
                                                    // elements of a bank are served in ascending order

  int passes() const;                                 // of all requests
  int min_passes() const { return requests.size(); }  // without a conflict
  int degree() const;                                 // of the worst request; 0: no lane takes part
};
/// `element_bytes`: a power of two, 1 to 128. Those of one word are served at once.
BankCost bank_cost(const SubGroupAccess& access, std::uint64_t element_bytes, bool write);

/// Atomics on the same element take turns.
struct Contention {
  std::uint64_t turns = 0;    // the most lanes that meet at one element …
  std::uint64_t element = 0;  // … the first such
};
Contention contention(const SubGroupAccess& access);
/// The same of each lane's element, or any other numbers that are equal where lanes meet. Sorts them.
Contention contention(std::span<std::uint64_t> elements);

}  // namespace twiddle
