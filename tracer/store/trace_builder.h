// Makes a trace of what a tracer hands over: encodes blocks, finds segments, compares the replay with the device. Where the
// parts are kept, a file or memory, is the store's business.
#pragma once

#include "tracer/codec/accesses/launch_values.h"
#include "tracer/codec/codec_state.h"
#include "tracer/store/reversed_spans.h"
#include "tracer/store/summary.h"
#include "tracer/trace/trace_sink.h"
#include "tracer/trace/trace_source.h"

#include <memory>
#include <optional>
#include <vector>

namespace twiddle {

/// Keeps the parts of a trace as they come.
class TraceStore {
 public:
  virtual ~TraceStore() = default;
  /// Once, first; without launches and segments.
  virtual void put_metadata(const TraceInfo& info) = 0;
  /// Adds a launch or a segment (ids count from 0), or replaces it as more is known of it.
  virtual void put_launch(const LaunchInfo& launch) = 0;
  virtual void put_segment(std::size_t id, const Segment& segment) = 0;
  /// The next block, encoded; its id is left to the store.
  virtual void put_block(const BlockEntry& entry, std::vector<std::byte>&& data) = 0;
  /// A piece of a buffer's first content, at most schema::content_chunk bytes and not all of them zero.
  virtual void put_content(int buffer, std::uint64_t first_byte, std::span<const std::byte> bytes) = 0;
  virtual void put_patch(int launch, const TraceSource::Patch& patch) = 0;
  virtual void put_buffers(std::span<const BufferInfo> buffers) = 0;
  virtual void put_sources(std::span<const SourceText> sources) = 0;
  virtual void put_sites(std::span<const Site> sites, std::span<const AccessSite> access_sites) = 0;
  /// The next accesses, encoded; their id is left to the store.
  virtual void put_accesses(const AccessEntry& entry, std::vector<std::byte>&& data) = 0;
  /// Takes back the accesses of the launch; others follow in their place.
  virtual void take_back_accesses(int launch) = 0;
  virtual void put_summary(std::int64_t segment, int buffer, const std::vector<float>& ranges) = 0;
};

class TraceBuilder : public TraceSink {
 public:
  TraceBuilder(const TraceBuilder&) = delete;
  TraceBuilder& operator=(const TraceBuilder&) = delete;
  void begin(const TraceInfo& info) override;
  void first_content(int buffer, std::span<const std::byte> bytes) override;
  void begin_launch(const LaunchInfo& launch) override;
  void add_buffers(std::span<const BufferInfo> buffers) override;
  void add_sources(std::span<const SourceText> sources) override;
  void add_sites(std::span<const Site> sites, std::span<const AccessSite> access_sites) override;
  void accesses(const AccessLog& log) override;
  void append(int epoch, int stage, OperationBlock&& block) override;
  void end_launch(const LaunchInfo& launch, const DeviceBuffer& device_buffer) override;
  std::vector<std::byte> replayed(int buffer) const override;

 protected:
  /// `store` must outlive this.
  explicit TraceBuilder(TraceStore& store) : store_(store) {}
  /// Puts what is known of the launch and the segment in progress.
  void put_progress();
  /// Puts the launch's accesses as they came, until its end replaces them by what its operations leave of them.
  void put_accesses_until_end(const LaunchInfo& launch);
  /// Nothing follows: puts the last segment.
  void close_segment();

 private:
  void open_segment(int epoch, int stage);
  void put_summaries(std::int64_t segment);
  std::uint64_t patch(int buffer, std::span<const std::byte> device);
  void put_accesses(const LaunchValues* known);
  void put_last_accesses();

  TraceStore& store_;
  TraceInfo info_;  // as handed to begin; launches and segments stay empty
  std::optional<CodecState> codec_;
  std::optional<Summaries> summaries_;
  std::optional<LaunchInfo> launch_;
  std::optional<SegmentFacts> facts_;  // of the segment being written
  ReversedSpans reversed_;
  std::size_t segments_ = 0;   // begun so far
  int epoch_ = 0, stage_ = 0;  // of the segment being written
  std::uint64_t next_step_ = 1;
  std::uint64_t kept_ = 0, inconsistent_ = 0;  // of the launch
  // Of the launch: accesses to be kept when it ends, and what will be known of it then. Null: nothing, or it came too late.
  std::vector<const AccessLog*> logs_;
  bool held_ = false;  // they are there already, as they came
  std::unique_ptr<LaunchValues> known_;
};

}  // namespace twiddle
