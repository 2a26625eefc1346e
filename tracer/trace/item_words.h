// Work-items in findings' sentences: threads where the trace's kernels are CUDA's.
#pragma once

#include "base/message.h"
#include "tracer/trace/trace.h"

#include <string>
#include <string_view>
#include <utility>

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

/// "sub-group 3", "warp 3".
inline Message lanes_name(const TraceInfo& info, std::uint64_t number) {
  return has_threads(info) ? Message("warp {}", number) : Message("sub-group {}", number);
}

/// A whole text in the words of the kernel's language: where that is CUDA, of threads, warps and blocks, whatever language the
/// text is translated to. For texts that are not made of the words above.
inline std::string in_kernel_words(const TraceInfo& info, std::string text) {
  if (!has_threads(info)) return text;
  static constexpr std::pair<std::string_view, std::string_view> pairs[] = {{"work-item", "thread"},
                                                                            {"Work-item", "Thread"},
                                                                            {"sub-group", "warp"},
                                                                            {"work-group", "block"},
                                                                            {"ワークアイテム", "スレッド"},
                                                                            {"サブグループ", "ワープ"},
                                                                            {"ワークグループ", "ブロック"},
                                                                            {"工作项", "线程"},
                                                                            {"子组", "线程束"},
                                                                            {"工作组", "线程块"}};
  for (const auto& [from, to] : pairs)
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  return text;
}

}  // namespace twiddle
