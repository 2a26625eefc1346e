#include "tracer/checks/order/order_findings.h"
#include "tracer/trace/item_words.h"

#include "base/message.h"

namespace twiddle {
namespace {

std::string element_of(const TraceInfo& info, const Finding& finding) {
  Access access;
  access.buffer = finding.buffer;
  access.index = finding.element.value_or(0);
  return element_text(info, access);
}

}  // namespace

void word_race(const TraceInfo& info, Finding& finding, std::uint64_t other, int other_line, std::uint64_t group_size,
               const RaceVerbs& verbs) {
  const std::uint64_t item = finding.items.front(), group = item / group_size, other_group = other / group_size;
  finding.items = {item, other};
  finding.other_line = other_line;
  finding.across_groups = group != other_group;
  const std::string where = element_of(info, finding);
  const Message now = Message::of(verbs.now), before = Message::of(verbs.before);
  const Message line = finding.line == other_line ? Message() : Message(" (line {})", other_line);
  if (finding.across_groups) {
    finding.message = Message(
        "{} (group {}) {} {} and {} (group {}) {} it in the same launch{}: a barrier does not reach across groups, so "
        "nothing orders the two",
        item_name(info, item), group, now, where, item_name(info, other), other_group, before, line);
    const LaunchInfo* launch = info.launch(finding.launch);
    finding.advice =
        launch && launch->cooperative
            ? Message("Let the whole grid meet between the two lines: grid.sync().")
            : Message(
                  "Split the kernel into one launch a stage, keep the data in one group, or use a cooperative launch.");
  } else {
    finding.message = Message("{} {} {} and {} {} it in the same epoch{}: no barrier orders the two",
                              item_name(info, item), now, where, item_name(info, other), before, line);
    // In OpenCL there may be one: items that meet see only the memory that its flags name.
    const BufferInfo& buffer = *info.buffer(finding.buffer);
    finding.advice =
        finding.line == other_line
            ? Message("Let each element have one {}, or put a barrier between the two.", item_noun(info))
        : has_threads(info) || is_local(buffer)
            ? Message("Put a barrier between the two lines.")
            : Message(
                  "Put a barrier for global memory between the two lines, barrier(CLK_GLOBAL_MEM_FENCE): one for local "
                  "memory alone does not order {}.",
                  buffer.name);
  }
  if (finding.kind != FindingClass::RaceSameValue) return;
  finding.message += Message("; both write the same value, so that the result is right all the same");
  finding.advice = Message("Let one {} write it.", item_noun(info));
}

void word_outside(const TraceInfo& info, Finding& finding, const char* verb, bool table) {
  const BufferInfo& buffer = *info.buffer(finding.buffer);
  if (table || buffer.space == Space::Constant)
    finding.message =
        Message("{} {} {}, outside the table: it has {} elements (0 … {})", item_name(info, finding.items.front()),
                Message::of(verb), element_of(info, finding), buffer.count, buffer.count - 1);
  else
    finding.message =
        Message("{} {} {}, but {} has {} elements (0 … {})", item_name(info, finding.items.front()), Message::of(verb),
                element_of(info, finding), buffer.name, buffer.count, buffer.count - 1);
  finding.advice = advice_outside(info, finding.element.value_or(0));
}

Message advice_outside(const TraceInfo& info, std::uint64_t element) {
  // What 32 bits make of a number a little below zero, with what was added to it.
  constexpr std::uint64_t wrapped = std::uint64_t(1) << 32, near = std::uint64_t(1) << 24;
  if (element >= wrapped - near && element <= wrapped + near)
    return Message(
        "A number below zero became an unsigned one of 32 bits on the way, which is 2^32 more: compute the index in "
        "signed numbers, or guard it.");
  return Message("Guard the access with the number of elements, or launch fewer {}.", items_noun(info));
}

void word_texel_outside(const TraceInfo& info, Finding& finding, const char* verb,
                        const std::array<std::int64_t, 3>& texel) {
  const BufferInfo& buffer = *info.buffer(finding.buffer);
  const auto [width, height, depth] = buffer.image;
  const Message item = item_name(info, finding.items.front()), does = Message::of(verb);
  if (depth > 1)
    finding.message = Message("{} {} texel ({}, {}, {}) of {}, an image of {} × {} × {} texels", item, does, texel[0],
                              texel[1], texel[2], buffer.name, width, height, depth);
  else if (height > 1)
    finding.message = Message("{} {} texel ({}, {}) of {}, an image of {} × {} texels", item, does, texel[0], texel[1],
                              buffer.name, width, height);
  else
    finding.message = Message("{} {} texel {} of {}, an image of {} texels", item, does, texel[0], buffer.name, width);
  finding.advice = Message(
      "Guard the access with the image's size. A read may go beyond the edge with a sampler that says what is "
      "there; a write may not.");
}

void word_unwritten(const TraceInfo& info, Finding& finding, std::uint64_t group) {
  const bool local = is_local(*info.buffer(finding.buffer));
  finding.message = Message("{} reads {}, which has not been written{}", item_name(info, finding.items.front()),
                            element_of(info, finding), local ? Message(" in group {}", group) : Message());
  finding.advice = local ? Message("Write every element first: local memory starts with what was there before.")
                         : Message("Write every element before it is read, or give the buffer a first content.");
}

}  // namespace twiddle
