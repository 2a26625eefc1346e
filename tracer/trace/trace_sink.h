// Where a trace goes: what the tracer needs of a TraceWriter. Tests and benchmarks stand in their own.
#pragma once

#include "tracer/trace/block.h"
#include "tracer/trace/trace.h"

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace twiddle {

/// Takes a trace while it is made.
class TraceSink {
 public:
  using DeviceBuffer = std::function<std::span<const std::byte>(int buffer)>;

  virtual ~TraceSink() = default;
  /// Metadata known before the run: everything but launches' figures and segments. Call once, first.
  virtual void begin(const TraceInfo& info) = 0;
  /// First content of a buffer (index into info.buffers).
  virtual void first_content(int buffer, std::span<const std::byte> bytes) = 0;
  /// A launch is about to log: adds its row. Launches come in order.
  virtual void begin_launch(const LaunchInfo& launch) = 0;
  /// More buffers and sources, behind those that are known: of a program that is recorded, which are not known in advance.
  /// Between launches; local arrays within one too. A sink that keeps no state need not take them.
  virtual void add_buffers(std::span<const BufferInfo> /*buffers*/) {}
  virtual void add_sources(std::span<const SourceText> /*sources*/) {}
  /// More trace lines and places of accesses, behind those that are known.
  virtual void add_sites(std::span<const Site> sites, std::span<const AccessSite> access_sites) = 0;
  /// Accesses of items of the launch, after those of the items before; `site` counts in TraceInfo::access_sites. The log stays
  /// where it is, as it is, until end_launch: what the launch's operations say of it is kept once. Operations that come before its
  /// first accesses explain none of them.
  virtual void accesses(const AccessLog& log) = 0;
  /// All accesses of the launch have come, and `launch` says how many: a trace that is cut off from now on has them, and says
  /// that the launch's operations are missing. A sink that cannot be cut off need do nothing.
  virtual void hold_accesses(const LaunchInfo& /*launch*/) {}
  /// Blocks come in step order within a launch. The block's writes are applied to the sink's state.
  /// Blocks of one (epoch, stage) make a segment; a block of barriers belongs to the segment before it.
  virtual void append(int epoch, int stage, OperationBlock&& block) = 0;
  /// The launch has ended: its figures, and what the device's buffers hold (null: not read back). Elements that differ
  /// from the replayed state are stored as a patch and counted as unexplained.
  virtual void end_launch(const LaunchInfo& launch, const DeviceBuffer& device_buffer) = 0;
  /// The replayed content of a global buffer: what the device should hold now (used to restore it for a re-run).
  virtual std::vector<std::byte> replayed(int buffer) const = 0;
};

}  // namespace twiddle
