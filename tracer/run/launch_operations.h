// What a launch's accesses become in a trace: numbered places, and the operations that they show.
#pragma once

#include "tracer/access/access.h"
#include "tracer/lift/lift.h"
#include "tracer/trace/block.h"
#include "tracer/trace/trace_sink.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace twiddle {

/// Sites of the log become sites of the trace, which keeps each once: new ones go to the end of TraceInfo::access_sites and to
/// the sink. `source_named` gives the index of the source that a site's file is.
void number_sites(AccessLog& log, TraceInfo& info, TraceSink& sink,
                  const std::function<int(const std::string& file)>& source_named);

/// What a buffer holds that nothing but these logs tells of, and that nothing writes: what was read of it, and else the
/// uninitialised pattern.
std::vector<std::byte> content_read(const TraceInfo& info, int buffer, std::span<const AccessLog> logs);

/// What is there of a log already.
struct LogKnowledge {
  std::vector<AccessLog> probes;  // of the same launch on other data
  std::optional<Lifted> lifted;   // from its own values alone; nothing: that was not done yet
  /// Complex values that later launches of the same kernel have in some of these pairs of buffers, where this launch does not
  /// tell whether they are such.
  std::function<std::vector<BufferInfo>(const std::vector<BufferInfo>& undecided)> told_later;
};

/// Lifts the logs of a launch, which are of items in ascending order, and hands its operations on in step order. What they
/// explain is added to the launch's figures; lines that operations name, and arrays that values are exchanged through, go to the
/// ends of TraceInfo::sites and TraceInfo::buffers, and of the sink's. `known` is of a launch that has one log.
using AppendBlock = std::function<void(int epoch, int stage, OperationBlock&& block)>;
void append_operations(std::span<const AccessLog> logs, LaunchInfo& launch, TraceInfo& info, TraceSink& sink,
                       const AppendBlock& append, LogKnowledge known = {});

}  // namespace twiddle
