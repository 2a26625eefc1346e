// What the field calls work-items, sub-groups and work-groups: threads, warps and blocks where the kernels are CUDA's. Every
// sentence, pane and diagram asks here.
#pragma once

#include "base/message.h"
#include "tracer/trace/trace.h"

#include <cstdint>

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

/// "sub-group", "warp"; and of several.
inline Message lanes_noun(const TraceInfo& info) {
  return Message::of(has_threads(info) ? translatable("warp") : translatable("sub-group"));
}
inline Message all_lanes_noun(const TraceInfo& info) {
  return Message::of(has_threads(info) ? translatable("warps") : translatable("sub-groups"));
}

/// "group", "block".
inline Message group_noun(const TraceInfo& info) {
  return Message::of(has_threads(info) ? translatable("block") : translatable("group"));
}

/// "sub-group 3", "warp 3".
inline Message lanes_name(const TraceInfo& info, std::uint64_t number) {
  return has_threads(info) ? Message("warp {}", number) : Message("sub-group {}", number);
}

}  // namespace twiddle
