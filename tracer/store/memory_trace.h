// A trace kept in memory, made and read without a file.
#pragma once

#include "tracer/trace/trace_sink.h"
#include "tracer/trace/trace_source.h"

#include <memory>

namespace twiddle {

/// Takes what a TraceWriter takes.
class MemoryTrace final : public TraceSink {
 public:
  MemoryTrace();
  ~MemoryTrace() override;
  MemoryTrace(const MemoryTrace&) = delete;
  MemoryTrace& operator=(const MemoryTrace&) = delete;
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

  /// The trace as it is now, marked as complete or not; nothing may be appended any more.
  std::shared_ptr<const TraceSource> finish(bool complete = true);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> self_;
};

}  // namespace twiddle
