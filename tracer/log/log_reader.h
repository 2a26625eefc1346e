// Reading a window of the device log into blocks of operations, in step order.
#pragma once

#include "tracer/log/device_log.h"
#include "tracer/trace/block.h"

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace twiddle {

/// A trace line as one launch sees it: which of the trace's buffers it names there.
struct SiteOfLaunch {
  int site = 0;  // index into TraceInfo::sites
  int first_line = 0, last_line = 0;
  Shape shape = Shape::None;
  int buffers[2] = {-1, -1};
  std::optional<ElementType> element[2];  // of those buffers, where they are known
  /// Where a buffer is an array that each item has for itself: its elements. The log has an item's own indices, and the
  /// buffer a row of so many for each item of a group.
  std::uint32_t registers[2] = {0, 0};
  std::uint64_t group_items = 1;
};

/// The window's words as the device left them.
struct LogWindow {
  LogLayout layout;
  std::uint64_t first_item = 0, items = 0;
  std::vector<std::uint32_t> words;  // layout.size() of them
};

/// What the headers and attempts of a window say, before its columns are looked at.
struct LogCounts {
  std::uint64_t attempted = 0;     // by the window's items, barriers included
  std::uint64_t without_room = 0;  // of these, how many have no slot
  std::uint32_t max_slots = 0;     // that one item needs
  std::uint32_t used_slots = 0;    // slots past the last one in use are empty
  bool slots_too_narrow = false;   // an operation needed more words than a slot has
};
LogCounts count_window(const LogWindow& window);

/// Words that the operations of a slot take (its header column included): what has to be read back of it. Bounded by the layout.
std::uint32_t used_words(const LogWindow& window, std::uint32_t slot, Detail detail);

class LogReader {
 public:
  /// `pair_of` gives the buffer whose complex elements are two neighbours each of a buffer of real numbers
  /// (tracer/trace/memory/pairs.h), which a line with complex values means where it names such a buffer; −1: there is none.
  using PairOf = std::function<int(int buffer)>;
  LogReader(std::vector<SiteOfLaunch> sites, int own_stage, Detail detail, PairOf pair_of = {});
  LogReader(const LogReader&) = delete;
  LogReader& operator=(const LogReader&) = delete;

  /// Where blocks go: the epoch and stage they belong to, and whether they hold barriers (which end the epoch).
  using Emit = std::function<void(int epoch, int stage, OperationBlock&& block)>;

  /// Emits the window's operations by (epoch, stage, item, slot), an epoch's barriers after its work. Returns how many.
  std::uint64_t read(const LogWindow& window, const Emit& emit);

  /// Operations that cannot be read, and their lines: no trace line is known there, or its values are not of their buffers' types.
  std::uint64_t unknown() const { return unknown_; }
  const std::map<int, std::uint64_t>& unknown_lines() const { return unknown_lines_; }

 private:
  struct Entry {
    std::uint32_t lane, slot;
  };
  struct Bucket {
    std::vector<std::uint32_t> rows;  // whole slots: every item of the window, in this order for each
    std::vector<Entry> entries;       // else one by one
  };
  using Key = std::pair<int, int>;  // epoch; stage, or `barriers_last`
  using Buckets = std::map<Key, Bucket>;

  const SiteOfLaunch* find_site(const LogWindow& window, std::uint32_t header);
  const SiteOfLaunch* with_pairs(const SiteOfLaunch& site, ElementType logged);
  bool read_rows(const LogWindow& window, std::uint32_t used_slots, Buckets& buckets);
  void read_lanes(const LogWindow& window, std::uint32_t used_slots, Buckets& buckets);
  std::uint64_t emit_bucket(const LogWindow& window, const Key& key, const Bucket& bucket, const Emit& emit);
  OperationBlock make_block(const LogWindow& window, const std::vector<Entry>& entries, std::size_t& taken,
                            bool barriers);
  void place_registers(const LogWindow& window, const std::vector<Entry>& entries, std::uint32_t key,
                       SiteColumns& columns);
  void fill_columns(const LogWindow& window, const std::vector<Entry>& entries, SiteColumns& columns);

  std::vector<SiteOfLaunch> sites_;
  int own_stage_;
  Detail detail_;
  PairOf pair_of_;
  std::deque<SiteOfLaunch> paired_;                     // of `known_`, beside those of sites_
  std::map<std::uint32_t, const SiteOfLaunch*> known_;  // header without stage → site, or null
  std::uint64_t unknown_ = 0;
  std::map<int, std::uint64_t> unknown_lines_;
};

}  // namespace twiddle
