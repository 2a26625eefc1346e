// The log of a CUDA recording as warps' records: what is in which drain, and whose it is.
#pragma once

#include "record/cuda/record_format.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace twiddle {

/// One piece of the log, which was fetched when the program had waited for its launches.
struct CudaDrain {
  int last_launch = 0;  // begun before it
  int log = 0;          // of which context
  std::uint64_t offset = 0, bytes = 0;
};

/// A record of the drain at hand.
struct CudaRecord {
  std::uint64_t thread = 0;  // of lane 0
  std::uint64_t at = 0;      // bytes from the drain's start
};

/// A record's lanes, decoded.
struct CudaLanes {
  twiddle_cuda::WarpRecord head{};
  int count = 0;
  std::uint32_t size = 0;  // of each access, in bytes
  std::array<std::uint8_t, 32> lane{};
  std::array<std::uint64_t, 32> address{};
  std::array<std::array<std::uint64_t, 2>, 32> value{};
};

class CudaRecords {
 public:
  /// `files`: how many the log is striped over. `launch_of` tells launches by context and lower bits of their grid's id.
  CudaRecords(std::filesystem::path folder, int files, std::vector<CudaDrain> drains,
              std::map<std::pair<int, std::uint16_t>, std::set<int>> launch_of);

  /// Calls `each(records, in_order)` for the drains that hold records of a launch: its records by thread, those of a warp in
  /// the order of the log. `decode()` then takes them.
  template <typename Each>
  void records_of(int launch, int log, Each&& each) const {
    for (std::size_t d = 0; d < drains_.size(); ++d)
      if (drains_[d].log == log && drains_[d].last_launch >= launch && load_if_holds(d, launch)) each(loaded_[launch]);
  }
  CudaLanes decode(const CudaRecord& record) const;

 private:
  bool load_if_holds(std::size_t drain, int launch) const;
  std::vector<char> read(const CudaDrain& drain) const;

  std::filesystem::path folder_;
  int files_;
  std::vector<CudaDrain> drains_;
  std::map<std::pair<int, std::uint16_t>, std::set<int>> launch_of_;
  mutable std::vector<std::set<int>> holds_;  // launches in a drain, once it was read
  mutable std::vector<bool> scanned_;
  mutable std::size_t at_hand_;  // drain that the next two are of
  mutable std::vector<char> bytes_;
  mutable std::map<int, std::vector<CudaRecord>> loaded_;
};

}  // namespace twiddle
