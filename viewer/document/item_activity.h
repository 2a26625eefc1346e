// Which work-items of a launch did something in a segment, item by item: read from the log's indices alone.
#pragma once

#include "tracer/cost/sub_group.h"
#include "viewer/document/document.h"

#include <cstdint>
#include <vector>

namespace twiddle {

class ItemActivity {
 public:
  /// `items`: of the launch; `group`: work-items of a group. No item works yet.
  ItemActivity(std::uint64_t items, std::uint64_t group);
  void add(std::uint64_t item);
  void add_all();

  std::uint64_t items() const { return items_; }
  bool works(std::uint64_t item) const;
  /// How many of the items [first, end) work.
  std::uint64_t count(std::uint64_t first, std::uint64_t end) const;

  /// Items of a sub-group: the usual number, or a whole group if that is less.
  std::uint64_t sub_group() const { return std::min(sub_group_size, group_); }
  /// The sub-group of an item; it never reaches past the item's group.
  SubGroup sub_group_of(std::uint64_t item) const;
  /// How many of [first, end) do not work while others of their sub-group do.
  std::uint64_t masked(std::uint64_t first, std::uint64_t end) const;

  /// Over all sub-groups in which at least one item works: their number, their lanes, and how many of them some items sit out.
  struct Totals {
    std::uint64_t active = 0, lanes = 0, sub_groups = 0, diverged = 0;
  };
  const Totals& totals() const { return totals_; }
  /// After the last add: makes the counts, so that asking takes no time however many items there are.
  void count_up();
  bool counted() const { return counted_; }

 private:
  static constexpr std::uint64_t piece = 1024;  // items that are counted together
  std::uint64_t count_each(std::uint64_t first, std::uint64_t end) const;
  std::uint64_t masked_each(std::uint64_t first, std::uint64_t end) const;

  std::uint64_t items_, group_;
  bool all_ = false;
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint64_t> worked_before_, masked_before_;  // by piece: in all pieces before it
  Totals totals_;
  bool counted_ = false;
};

/// The activity of a segment; null while finding out takes longer than the frame has time for, or where it would take too
/// much memory. Kept.
const ItemActivity* item_activity(Document& document, int segment);

}  // namespace twiddle
