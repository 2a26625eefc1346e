// Work-items in findings' sentences: threads where the trace's kernels are CUDA's.
#pragma once

#include "base/message.h"
#include "tracer/trace/trace.h"

namespace twiddle {

inline bool has_threads(const TraceInfo& info) { return info.dialect() == Dialect::Cuda; }

/// "work-item 5", "thread 5".
inline Message item_name(const TraceInfo& info, std::uint64_t item) {
  return has_threads(info) ? Message("thread {}", item) : Message("work-item {}", item);
}
/// "32 work-items", "32 threads".
inline Message item_count(const TraceInfo& info, std::uint64_t count) {
  return has_threads(info) ? Message::plural(count, "{} thread", "{} threads", count)
                           : Message::plural(count, "{} work-item", "{} work-items", count);
}
/// "32 work-items of a sub-group", "32 threads of a warp".
inline Message lanes_count(const TraceInfo& info, std::uint64_t count) {
  return has_threads(info) ? Message("{} threads of a warp", count) : Message("{} work-items of a sub-group", count);
}
/// "work-item", "thread"; and of several.
inline Message item_noun(const TraceInfo& info) {
  return Message::of(has_threads(info) ? translatable("thread") : translatable("work-item"));
}
inline Message items_noun(const TraceInfo& info) {
  return Message::of(has_threads(info) ? translatable("threads") : translatable("work-items"));
}

}  // namespace twiddle
