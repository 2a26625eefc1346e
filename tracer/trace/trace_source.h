// Where a trace is read from: what replay, checks and diagrams need of a trace file, or of a trace kept in memory.
#pragma once

#include "tracer/trace/trace.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace twiddle {

/// Where a block is in a trace, and what it is about.
struct BlockEntry {
  std::int64_t id = 0;
  std::size_t segment = 0;
  std::uint64_t first_step = 0;
  std::uint32_t count = 0;
  bool barriers = false;
  std::uint32_t first_item = 0, last_item = 0;
  // Elements that its operations write are in [first_written, last_written] of this buffer; −1: of several buffers. An
  // empty range (first > last) when nothing is written.
  int written_buffer = -1;
  std::uint32_t first_written = 1, last_written = 0;
};

/// Where the accesses of some items of a launch are in a trace.
struct AccessEntry {
  std::int64_t id = 0;
  int launch = 0;
  std::uint64_t first_item = 0, items = 0, records = 0;
};

/// All content is untrusted; every failure is an Error (unreadable) with one sentence. Functions may be called by several
/// threads at once.
class TraceSource {
 public:
  virtual ~TraceSource() = default;
  TraceSource(const TraceSource&) = delete;
  TraceSource& operator=(const TraceSource&) = delete;

  const TraceInfo& info() const { return info_; }
  /// Its file, which messages name; "" when it has none.
  const std::filesystem::path& path() const { return path_; }
  /// The blocks in the order of steps; barrier blocks come after the segment whose epoch they end.
  const std::vector<BlockEntry>& blocks() const { return blocks_; }
  /// Those of a segment.
  std::span<const BlockEntry> blocks_of(std::size_t segment) const {
    const auto [first, end] = std::ranges::equal_range(blocks_, segment, {}, &BlockEntry::segment);
    return {first, end};
  }
  virtual std::vector<std::byte> block_bytes(const BlockEntry& entry) const = 0;
  /// All of a buffer's first content: as many bytes as the buffer has. Of a pair it is what its parts hold.
  std::vector<std::byte> first_content(int buffer) const;
  /// A stretch of a buffer's first content; what no stretch covers is zero.
  using EachContent = std::function<void(std::uint64_t first_byte, std::span<const std::byte>)>;
  virtual void for_each_content(int buffer, const EachContent& each) const = 0;
  /// What the device's buffers held after a launch where the log does not explain it: (buffer, element, bytes).
  struct Patch {
    int buffer = 0;
    std::vector<std::uint32_t> elements;  // at most 65,536, ascending
    std::vector<std::byte> bytes;         // their contents, one after another
  };
  virtual void for_each_patch(int launch, const std::function<void(const Patch&)>& each) const = 0;
  /// The accesses that were logged, by launch, then by item.
  const std::vector<AccessEntry>& access_entries() const { return access_entries_; }
  /// Those of an entry. `site` counts in TraceInfo::access_sites, of which `sites` is a copy.
  virtual AccessLog accesses(const AccessEntry& entry) const = 0;
  /// All of a launch's, together: items of a group, and groups that wait for each other, may be in several entries.
  AccessLog accesses_of(int launch) const;
  /// All of a launch's, entry after entry, until `each` returns false.
  void for_each_accesses(int launch, const std::function<bool(const AccessLog&)>& each) const {
    for (const AccessEntry& entry : access_entries_)
      if (entry.launch == launch && !each(accesses(entry))) return;
  }
  /// Brightest |value| in each of ≤ 1024 equal index ranges of a buffer, after a segment (0-based; −1: before the first).
  /// Empty where it was not kept: of buffers of up to 4096 elements or not yet written, and of segments past
  /// the 4096th.
  virtual std::vector<float> summary(int segment, int buffer) const = 0;

  /// Bookmarks and notes are part of a trace.
  struct Bookmark {
    std::uint64_t step;
    std::string note;
  };
  virtual std::vector<Bookmark> bookmarks() const { return {}; }
  /// The same trace, read independently of this one, so that another thread need not wait for this one's.
  virtual std::shared_ptr<const TraceSource> another() const = 0;

 protected:
  TraceSource() = default;
  std::filesystem::path path_;
  TraceInfo info_;
  std::vector<BlockEntry> blocks_;
  std::vector<AccessEntry> access_entries_;
};

}  // namespace twiddle
