// The trace file (.twd): an SQLite database, written while the run goes on and readable by anyone (docs/trace-format.md).
#pragma once

#include "tracer/trace/block.h"
#include "tracer/trace/trace.h"
#include "tracer/trace/trace_sink.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace twiddle {

/// Writes a trace. Everything appended is committed in small transactions: after a crash the file reads up to the last one.
/// An existing file is replaced only by `finish`; without `finish` (an exception) nothing is left behind, except after
/// `interrupt`, which keeps what was written, marked incomplete.
class TraceWriter final : public TraceSink {
 public:
  /// How much a crash may cost: what was written is committed after so many bytes, or so long after the last time.
  struct Pace {
    std::size_t bytes = 4 << 20;
    std::chrono::milliseconds interval{500};
  };
  explicit TraceWriter(const std::filesystem::path& file, Pace pace = {4 << 20, std::chrono::milliseconds(500)});
  ~TraceWriter() override;
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;

  /// Metadata known before the run: everything but launches' figures and segments. Call once, first.
  void begin(const TraceInfo& info) override;
  /// First content of a buffer (index into info.buffers).
  void first_content(int buffer, std::span<const std::byte> bytes) override;
  /// A launch is about to log: adds its row. Launches come in order.
  void begin_launch(const LaunchInfo& launch) override;
  /// Blocks come in step order within a launch. The block's writes are applied to the writer's state.
  /// Blocks of one (epoch, stage) make a segment; a block of barriers belongs to the segment before it.
  void append(int epoch, int stage, OperationBlock&& block) override;
  /// The launch has ended: its figures, and what the device's buffers hold (null: not read back). Elements that differ
  /// from the replayed state are stored as a patch and counted as unexplained.
  void end_launch(const LaunchInfo& launch, const DeviceBuffer& device_buffer) override;
  /// The replayed content of a global buffer: what the device should hold now (used to restore it for a re-run).
  std::vector<std::byte> replayed(int buffer) const override;
  void finish();
  void interrupt();
  /// Bytes of the file so far, as committed.
  std::uint64_t bytes_written() const;
  /// Where the trace lies now: beside the file asked for ("x.twd.part") while one of that name exists, which `finish`
  /// then replaces and `interrupt` does not.
  const std::filesystem::path& path() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> self_;
};

/// A block as it lies in the file.
struct BlockEntry {
  std::int64_t id = 0;
  std::size_t segment = 0;
  std::uint64_t first_step = 0;
  std::uint32_t count = 0;
  bool barriers = false;
  std::uint32_t first_item = 0, last_item = 0;
  // Elements that its operations write lie in [first_written, last_written] of this buffer; −1: of several buffers. An empty
  // range (first > last) when nothing is written.
  int written_buffer = -1;
  std::uint32_t first_written = 1, last_written = 0;
};

/// Reads a trace. All content is untrusted; every failure is an Error (unreadable) with one sentence.
class TraceReader {
 public:
  /// Opens read-only; a file without a clean end is read up to its last committed block.
  static std::shared_ptr<const TraceReader> open(const std::filesystem::path& file);
  ~TraceReader();

  const TraceInfo& info() const;
  const std::filesystem::path& path() const;
  std::uint64_t file_bytes() const;
  /// The blocks in file order, which is step order; barrier blocks stand after the segment whose epoch they end.
  const std::vector<BlockEntry>& blocks() const;
  std::vector<std::byte> block_bytes(const BlockEntry& entry) const;
  std::vector<std::byte> first_content(int buffer) const;  // all of it: as many bytes as the buffer has
  /// What the device's buffers held after a launch where the log does not explain it: (buffer, element, bytes).
  struct Patch {
    int buffer = 0;
    std::vector<std::uint32_t> elements;  // at most 65,536, ascending
    std::vector<std::byte> bytes;         // their contents, one after another
  };
  void for_each_patch(int launch, const std::function<void(const Patch&)>& each) const;
  /// A stretch of a buffer's first content; what no stretch covers is zero.
  void for_each_content(int buffer,
                        const std::function<void(std::uint64_t first_byte, std::span<const std::byte>)>& each) const;
  /// Brightest |value| in each of ≤ 1024 equal index ranges of a buffer, after a segment (0-based; −1: before the first).
  /// Empty where it was not kept: of buffers of up to 4096 elements or not yet written, and of segments past
  /// the 4096th.
  std::vector<float> summary(int segment, int buffer) const;

  /// Reads every byte and compares the checksums: throws Error (unreadable) when anything is not as it was written.
  void verify() const;

  /// Bookmarks and notes live in the trace.
  struct Bookmark {
    std::uint64_t step;
    std::string note;
  };
  std::vector<Bookmark> bookmarks() const;

 private:
  TraceReader();
  struct Implementation;
  std::unique_ptr<Implementation> self_;
};

/// Adds or removes a bookmark in a trace file. Throws Error (usage) when the file cannot be written.
void set_bookmark(const std::filesystem::path& file, std::uint64_t step, const std::string& note, bool present);

}  // namespace twiddle
