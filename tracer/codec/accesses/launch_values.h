// What the operations of a launch, and the state before and after it, say of the values that its accesses have.
#pragma once

#include "tracer/codec/block_decoder.h"
#include "tracer/trace/block.h"
#include "tracer/trace/memory/state.h"
#include "tracer/trace/trace_source.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace twiddle {

/// Operations of a run of a launch's items with their values, each item's in the order of blocks.
class LaunchValues {
 public:
  State before, after;  // `after` with the patches of the launch

  explicit LaunchValues(std::uint64_t group_size);
  /// Blocks in their order; barriers in them do not count.
  void add(std::shared_ptr<const OperationBlock> block);
  /// After the last of them: the items from `first` to before `end` count.
  void close(std::uint64_t first, std::uint64_t end);

  bool covers(std::uint64_t first, std::uint64_t count) const {
    return first >= first_item_ && count <= items_ && first - first_item_ <= items_ - count;
  }
  std::uint64_t group_of(std::uint64_t item) const { return item / group_size_; }

  /// The n-th operation of an item is row `row` of `columns`.
  struct Place {
    const SiteColumns* columns;
    std::uint32_t row;
    /// Its values by number: coefficients, values read, values written, as far as the trace has them.
    std::uint32_t values() const {
      return static_cast<std::uint32_t>(columns->coefficients.size() + columns->reads.size() + columns->writes.size());
    }
    ElementType type(std::uint32_t which) const {
      return which < columns->coefficients.size() ? columns->coefficient_type : columns->value_type;
    }
    const std::byte* value(std::uint32_t which) const;
  };
  std::span<const Place> of_item(std::uint64_t item) const {
    const std::uint64_t i = item - first_item_;
    return std::span(places_).subspan(begin_[i], begin_[i + 1] - begin_[i]);
  }

 private:
  template <typename Each>
  void for_each_operation(const Each& each) const;

  std::uint64_t group_size_, first_item_ = 0, items_ = 0;
  std::vector<std::shared_ptr<const OperationBlock>> blocks_;
  std::vector<std::uint64_t> begin_;
  std::vector<Place> places_;
};

/// Finds the LaunchValues of a trace, from the nearest launch that was passed before. May be used by several threads at once.
class LaunchValuesFinder {
 public:
  /// `trace` must outlive this. `budget`: bytes of operations, and of states to come back to, that are held about.
  explicit LaunchValuesFinder(const TraceSource& trace, std::size_t budget = std::size_t(256) << 20)
      : trace_(trace), budget_(budget) {}
  /// Those of a launch, of these items at least. Throws Error (unreadable).
  std::shared_ptr<const LaunchValues> find(int launch, std::uint64_t first_item, std::uint64_t items);

 private:
  void move_before(int launch, std::size_t first_block);
  void keep_checkpoint(int launch);

  const TraceSource& trace_;
  std::size_t budget_;
  std::mutex mutex_;
  std::optional<BlockDecoder> decoder_;
  std::map<int, BlockDecoder::Checkpoint> checkpoints_;  // at the beginning of launches
  std::size_t checkpoint_bytes_ = 0;
  int launch_ = 0;
  std::shared_ptr<const LaunchValues> last_;  // of launch_
};

}  // namespace twiddle
