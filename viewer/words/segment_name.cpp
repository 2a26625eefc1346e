#include "viewer/words/segment_name.h"

#include "base/message.h"
#include "tracer/cost/sub_group.h"
#include "viewer/words/operation_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace twiddle {
namespace {

// The launch that has this segment and no other; null when it has several. A launch's segments follow one another.
const LaunchInfo* whole_launch(const TraceInfo& info, std::size_t segment) {
  const auto same = [&](std::size_t other) {
    return other < info.segments.size() && info.segments[other].launch == info.segments[segment].launch;
  };
  return same(segment - 1) || same(segment + 1) ? nullptr : info.launch(info.segments[segment].launch);
}

// What is left by what launches and segments are called, before that is translated.
constexpr std::pair<std::string_view, const char*> result_words[] = {{"bit reversal", translatable("bit-reversed")},
                                                                     {"digit reversal", translatable("digit-reversed")},
                                                                     {"scale", translatable("scaled")},
                                                                     {"load", translatable("loaded")},
                                                                     {"store", translatable("stored")}};

// What a segment does with registers: its twiddles, or moves between them and memory; empty for anything else.
std::string register_word(const TraceInfo& info, const Segment& segment) {
  const BufferInfo *from = info.buffer(segment.read_buffer), *to = info.buffer(segment.write_buffer);
  const bool takes = to && is_registers(*to), gives = from && is_registers(*from);
  if (segment.kind == OperationKind::Scale && takes) return translatable("twiddles");
  if (segment.kind != OperationKind::Move || !from || !to) return "";
  if (!takes && !gives) {
    // Of kernels that work in registers: what local memory has put in order goes out.
    const bool in_registers = std::any_of(info.buffers.begin(), info.buffers.end(), [&](const BufferInfo& buffer) {
      return is_registers(buffer) && buffer.launch == segment.launch;
    });
    return in_registers && from->space == Space::Local && to->space == Space::Global ? translatable("store") : "";
  }
  if ((takes ? from : to)->space == Space::Local) return takes ? translatable("take over") : translatable("hand over");
  return takes ? translatable("load") : translatable("store");
}

// The segment's word in English where it has one of its own: its launch's label, "load" and "store" of local memory, or what it
// does with registers.
std::string word_of(const TraceInfo& info, std::size_t number) {
  const Segment& segment = info.segments[number];
  if (std::string word = register_word(info, segment); !word.empty()) return word;
  if (segment.stage > 0) return "";
  if (const LaunchInfo* launch = whole_launch(info, number)) return launch->label;
  const auto space = [&](int buffer) {
    const bool named = buffer >= 0 && static_cast<std::size_t>(buffer) < info.buffers.size();
    return named ? info.buffers[buffer].space : Space::Constant;
  };
  const Space from = space(segment.read_buffer), to = space(segment.write_buffer);
  if (segment.kind == OperationKind::Move && from == Space::Global && to == Space::Local) return translatable("load");
  if (segment.kind == OperationKind::Move && from == Space::Local && to == Space::Global) return translatable("store");
  return "";
}

}  // namespace

std::string launch_name(const LaunchInfo& launch) {
  return launch.label.empty() ? launch.kernel : tr(launch.label.c_str());
}

std::string segment_name(const TraceInfo& info, std::size_t number) {
  const Segment& segment = info.segments[number];
  if (segment.stage > 0 && word_of(info, number).empty()) return tr("stage {}", segment.stage);
  if (const LaunchInfo* launch = whole_launch(info, number)) return launch_name(*launch);
  const std::string word = word_of(info, number);
  return word.empty() ? fmt::format("{} {}", word_of(segment.kind), segment.epoch) : tr(word.c_str());
}

std::string distinct_segment_name(const TraceInfo& info, std::size_t number) {
  const Segment& segment = info.segments[number];
  const auto of_stage = [&](const Segment& other) { return other.stage == segment.stage; };
  const bool alone = segment.stage <= 0 || std::count_if(info.segments.begin(), info.segments.end(), of_stage) == 1;
  const std::string name = segment_name(info, number);
  return alone ? name : fmt::format("L{} {}", segment.launch, name);
}

std::string segment_result_name(const TraceInfo& info, std::size_t number) {
  const std::string word = word_of(info, number);
  for (const auto& [done, result] : result_words)
    if (word == done) return tr(result);
  return tr("after {}", distinct_segment_name(info, number));
}

}  // namespace twiddle
