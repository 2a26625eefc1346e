// What libtwiddle-cuda.so recorded of a CUDA program (record/cuda/record_format.h), read back launch by launch.
#pragma once

#include "tracer/access/access.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace twiddle {

/// A launch as the program made it.
struct CudaLaunch {
  int number = 0;       // from 1, in the order of the program's calls
  std::string kernel;   // demangled, "void stage<float>(float2*, unsigned int)"
  std::string mangled;  // as the module has it
  std::array<std::size_t, 3> grid{1, 1, 1}, block{1, 1, 1}, cluster{0, 0, 0};  // in blocks, threads, blocks (0: none)
  std::uint64_t shared_bytes = 0;                                              // static
  std::uint64_t dynamic_bytes = 0;  // of shared memory, that the launch adds to it, where the recorder knows
  bool cooperative = false;         // its barriers may be of the whole grid
  std::optional<std::vector<std::vector<std::byte>>> arguments;  // of each its bytes; none: they are not known
  int program = -1;          // index into programs(): what its kernel was compiled from
  int device = 0;            // as CUDA numbers it
  std::uint64_t stream = 0;  // names a stream
  bool graph = false;        // part of a graph
  bool recorded = true;      // false: not asked for, or the recorder could not
  std::uint64_t lost = 0;    // accesses that the log had no room for

  std::uint64_t group_size() const { return std::uint64_t(block[0]) * block[1] * block[2]; }
  std::uint64_t items() const { return std::uint64_t(grid[0]) * grid[1] * grid[2] * group_size(); }
};

/// What the program had NVRTC compile.
struct CudaProgram {
  std::string name, text;  // the name may be empty, or a path
  std::vector<std::pair<std::string, std::string>> headers;
  std::vector<std::string> options;
  std::string image;  // what was compiled of it: a cubin, or PTX
  bool operator==(const CudaProgram&) const = default;
};

class CudaLog {
 public:
  /// Reads the events of a folder; logs of a program that was killed are read as far as they go. Throws Error (unreadable)
  /// when it is no such folder, or damaged.
  explicit CudaLog(const std::filesystem::path& folder);
  ~CudaLog();
  CudaLog(CudaLog&&) noexcept;
  CudaLog& operator=(CudaLog&&) noexcept;

  /// Reads what was added to the events since. Throws as the constructor does.
  void update();
  /// Records so far are of no more use: launches are still known, their accesses are not.
  void forget_records();

  /// The logs of a recording: of the process that was the first to use CUDA, then those of others by their ids.
  static std::vector<std::filesystem::path> processes(const std::filesystem::path& folder);

  const std::vector<CudaLaunch>& launches() const;
  const std::vector<CudaProgram>& programs() const;
  /// Whether launches()[launch] ended while the program lived: then its accesses are here, as far as there was room for them.
  bool has_ended(std::size_t launch) const;
  bool complete() const;                             // the program ended by itself
  const std::vector<std::string>& failures() const;  // what the recorder could not do, in its words
  /// Why nothing at all was recorded, in the recorder's words; empty: it was.
  const std::string& unavailable() const;
  /// The allocations of device memory that were there at launches()[launch], by address.
  std::vector<AccessRange> memory_at(std::size_t launch) const;

  /// The accesses of items [first_item, first_item + items) of launches()[launch], as many as there are. Ranges are allocations
  /// of device memory as they were at the launch, and each block's shared memory; their element types are guessed from
  /// the values. Stored values of atomic operations are known only where a later one of the window saw them. Accesses
  /// outside of all allocations (the driver's parameters) are left out. Throws Error: unreadable of a damaged log,
  /// usage of more than 2^28 items at once. `memory`, by address, is what counts as memory in place of the allocations.
  RawAccesses accesses(std::size_t launch, std::uint64_t first_item = 0,
                       std::uint64_t items = std::numeric_limits<std::uint64_t>::max(),
                       const std::vector<AccessRange>* memory = nullptr) const;

 private:
  struct Contents;
  std::unique_ptr<Contents> contents_;
};

}  // namespace twiddle
