// The trace file (.twd): an SQLite database, written while the run goes on and readable by any program (docs/trace-format.md).
#pragma once

#include "tracer/store/trace_builder.h"
#include "tracer/trace/trace_source.h"

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
class TraceWriter final : public TraceBuilder {
 public:
  /// How much a crash may cost: what was written is committed after so many bytes, or so long after the last time.
  struct Pace {
    std::size_t bytes = 4 << 20;
    std::chrono::milliseconds interval{500};
  };
  explicit TraceWriter(const std::filesystem::path& file, Pace pace = {4 << 20, std::chrono::milliseconds(500)});
  ~TraceWriter() override;

  void hold_accesses(const LaunchInfo& launch) override;
  void end_launch(const LaunchInfo& launch, const DeviceBuffer& device_buffer) override;
  void finish();
  void interrupt();
  /// Bytes of the file so far, as committed.
  std::uint64_t bytes_written() const;
  /// Where the trace is now: beside the file asked for ("x.twd.part") while one of that name exists, which `finish`
  /// then replaces and `interrupt` does not.
  const std::filesystem::path& path() const;

 private:
  struct Implementation;
  explicit TraceWriter(std::unique_ptr<Implementation> self);
  std::unique_ptr<Implementation> self_;
};

/// Reads a trace file.
class TraceReader final : public TraceSource {
 public:
  /// Opens read-only; a file without a clean end is read up to its last committed block.
  static std::shared_ptr<const TraceReader> open(const std::filesystem::path& file);
  ~TraceReader() override;

  std::uint64_t file_bytes() const;
  std::vector<std::byte> block_bytes(const BlockEntry& entry) const override;
  void for_each_content(int buffer, const EachContent& each) const override;
  AccessLog accesses(const AccessEntry& entry) const override;
  void for_each_patch(int launch, const std::function<void(const Patch&)>& each) const override;
  std::vector<float> summary(int segment, int buffer) const override;
  std::vector<Bookmark> bookmarks() const override;
  std::shared_ptr<const TraceSource> another() const override;

  /// Reads every byte and compares the checksums: throws Error (unreadable) when anything is not as it was written.
  void verify() const;

 private:
  TraceReader();
  struct Implementation;
  std::unique_ptr<Implementation> self_;
};

/// Adds or removes a bookmark in a trace file. Throws Error (usage) when the file cannot be written.
void set_bookmark(const std::filesystem::path& file, std::uint64_t step, const std::string& note, bool present);

}  // namespace twiddle
