// Trace lines against accesses: a line says what an operation is meant to be, and the accesses say what happened.
#pragma once

#include "tracer/access/access.h"
#include "tracer/trace/block.h"
#include "tracer/trace/trace.h"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace twiddle {

class Claims {
 public:
  /// `logs` are the launch's, items in ascending order, and outlive this. `same_values`: two runs of the kernel leave the same
  /// bits, so that values may be compared, too. Where they do not, an item that made none of the accesses that a line stands for
  /// with others went another way in the run that was logged: what the line says of it is not judged.
  Claims(const TraceInfo& info, const LaunchInfo& launch, std::span<const AccessLog> logs, bool same_values);

  using Emit = std::function<void(int epoch, int stage, OperationBlock&& block)>;
  /// Hands the block's operations on with the buffers that their items touched, found by address, and in the epoch in which
  /// they touched them: as one block or, where operations differ in these, as several. What was not touched at all, or held
  /// other values, is taken note of; a common factor of all values is not judged, nor are integers' values, nor items that
  /// pass values through shuffles.
  void place(int epoch, int stage, OperationBlock&& block, const Emit& emit);

  /// A fault for each trace line that said something else than what happened. To be asked once, after all blocks.
  std::vector<Fault> faults();
  /// Items that were not judged everywhere, as they went another way. Known after faults().
  std::uint64_t went_another_way() const { return went_another_way_; }
  /// Whether operations were put into other epochs than their trace barriers said.
  bool moved() const { return moved_; }

 private:
  struct Placed {
    int epoch = 0;
    int buffers[2] = {-1, -1};
    auto operator<=>(const Placed&) const = default;
  };
  struct FalseLine {
    Fault fault;
    std::uint64_t count = 0;
  };
  struct Item {
    const AccessLog* log = nullptr;
    std::uint64_t number = 0, begin = 0, end = 0;  // records
    bool exchanges = false, meets_lanes = false;
    int claimed_epoch = 0;                // of the operation that is being placed
    std::uint64_t behind = 0;             // the last record of the operation before
    std::vector<std::uint64_t> barriers;  // records
    std::vector<std::uint32_t> order;     // records − begin: reads, then writes, each by offset
  };
  // Asynchronous copies of a group: one item has the engine bring what others tell of.
  struct Copies {
    const AccessLog* log = nullptr;
    std::uint64_t group = 0, begin = 0;
    std::vector<std::uint32_t> order;  // as an item's
  };
  struct Match {
    bool touched = false, equal = true;
    bool copied = false;       // by the engine, at some time: `record` is another item's
    std::uint64_t record = 0;  // the last one
    std::vector<std::byte> bytes;
  };

  // What is false unless its item went another way.
  struct Doubt {
    int line = 0;
    std::uint64_t item = 0;
    Access access;
    bool write = false;
    Match found;
  };

  bool enter(std::uint64_t item);
  int epoch_of(std::uint64_t record) const;
  Match match(const Access& access, bool write, int buffer) const;
  Match match(const Access& access, bool write, int buffer, std::uint64_t begin,
              const std::vector<std::uint32_t>& order) const;
  void find_copies();
  int memory_of(int buffer) const;
  std::vector<int> buffers_at(const Access& access, bool write) const;
  int choose_buffer(const SmallList<Access, 4>& accesses, bool write, int named) const;
  Placed judge(const Operation& op, const SiteColumns& columns, int epoch);
  void note(int line, std::uint64_t item, const Access& access, bool write, const Match& found);
  bool came_by(int line, std::uint64_t item);

  const TraceInfo& info_;
  const LaunchInfo& launch_;
  std::span<const AccessLog> logs_;
  bool same_values_;
  bool moved_ = false;
  Item item_;
  Copies copies_;
  std::map<std::pair<int, int>, FalseLine> false_lines_;  // by source and line
  // Where runs differ:
  std::vector<Doubt> doubts_;
  std::map<int, std::set<std::pair<int, AccessKind>>> stands_for_;  // by line: lines and kinds of accesses
  std::uint64_t went_another_way_ = 0;
};

}  // namespace twiddle
