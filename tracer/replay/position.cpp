#include "tracer/replay/position.h"

#include "base/error.h"
#include "base/text.h"
#include "tracer/codec/codec.h"
#include "tracer/replay/turns.h"
#include "tracer/trace/item_words.h"
#include "tracer/trace/trace_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>

namespace twiddle {
namespace {

// "1, 2 and 5", or "1 … 22" when there is no gap.
std::string list_of(const std::set<int>& numbers) {
  if (numbers.empty()) return "none";
  const int first = *numbers.begin(), last = *numbers.rbegin();
  if (first == last) return fmt::format("{}", first);
  if (std::size_t(last - first) + 1 == numbers.size()) return fmt::format("{} … {}", first, last);
  std::string text;
  std::size_t left = numbers.size();
  for (const int number : numbers) {
    text += fmt::format("{}", number);
    if (--left > 0) text += left == 1 ? " and " : ", ";
  }
  return text;
}

bool matches(const Segment& segment, const Position& position) {
  return (position.launch < 0 || segment.launch == position.launch) &&
         (position.stage < 0 || segment.stage == position.stage) &&
         (position.epoch < 0 || segment.epoch == position.epoch);
}

// Why no segment matches: the first part of the position that nothing has.
Error no_such_place(const TraceInfo& info, const Position& position) {
  Position part;
  std::set<int> launches, stages, epochs;
  for (const Segment& segment : info.segments) launches.insert(segment.launch);
  if (position.launch >= 0 && !launches.count(position.launch))
    return usage_error("there is no operation of launch {} in this trace; launches with operations: {}",
                       position.launch, list_of(launches));
  part.launch = position.launch;
  for (const Segment& segment : info.segments)
    if (matches(segment, part)) stages.insert(segment.stage);
  if (position.stage >= 0 && !stages.count(position.stage))
    return usage_error("there is no stage {} there; stages: {}", position.stage, list_of(stages));
  part.stage = position.stage;
  for (const Segment& segment : info.segments)
    if (matches(segment, part)) epochs.insert(segment.epoch);
  return usage_error("there is no epoch {} there; epochs: {}", position.epoch, list_of(epochs));
}

// Calls each(step, item) for the operations of a segment in order, without decoding values; false stops. Blocks whose
// items are all below `min_item` are left out.
template <typename Each>
void for_items(const TraceSource& trace, std::size_t segment, std::uint64_t min_item, const Each& each) {
  for (const BlockEntry& block : trace.blocks_of(segment)) {
    if (block.barriers || block.last_item < min_item) continue;
    const OperationBlock decoded = decode_indices(trace.block_bytes(block), trace.info());
    for (std::uint32_t i = 0; i < decoded.count; ++i)
      if (!each(block.first_step + i, decoded.item[i])) return;
  }
}

std::uint64_t find_item(const TraceSource& trace, const std::vector<std::size_t>& segments, const Position& position) {
  const auto item = static_cast<std::uint64_t>(position.item);
  std::uint64_t found = 0, next = 0;
  int times = 0;
  for (const std::size_t segment : segments) {
    for_items(trace, segment, item, [&](std::uint64_t step, std::uint64_t who) {
      if (who == item && ++times == position.nth) found = step;
      if (who > item && next == 0) next = step;
      return found == 0 && who <= item;
    });
    if (found > 0) return found;
  }
  if (times > 0) throw usage_error("{} did only {} operations there", item_name(trace.info(), item), times);
  const Segment& last = trace.info().segments[segments.back()];
  const LaunchInfo& launch = *trace.info().launch(last.launch);
  if (item >= launch.items())
    throw usage_error("there is no {}: launch {} has 0 … {}", item_name(trace.info(), item), launch.number,
                      launch.items() - 1);
  return next > 0 ? next : std::min(last.end_step(), trace.info().steps);
}

/// The first step of a sub-group there, or the last of the operations of one of its turns.
std::uint64_t find_in_lockstep(const TraceSource& trace, const std::vector<std::size_t>& segments,
                               const Position& position) {
  const auto number = static_cast<std::uint64_t>(position.sub_group);
  Replay replay(trace.another());
  for (const std::size_t segment : segments) {
    const LaunchInfo& launch = *trace.info().launch(trace.info().segments[segment].launch);
    const std::uint64_t count = std::max<std::uint64_t>(1, SubGroups(launch.group_size()).count(launch.items()));
    if (number >= count)
      throw usage_error("there is no {}: launch {} has 0 … {}", lanes_name(trace.info(), number), launch.number,
                        count - 1);
    const auto turns = turns_in(replay, segment, number);
    if (!turns) continue;
    if (position.turn < 0) return turns->first_step;
    if (position.turn < 1 || position.turn > turns->turns())
      throw usage_error("there is no turn {} there: {} has 1 … {}", position.turn, lanes_name(trace.info(), number),
                        turns->turns());
    return turns->place_of(position.turn).step;
  }
  throw usage_error("{} did nothing there", lanes_name(trace.info(), number));
}

}  // namespace

std::optional<Position> parse_position(std::string_view text) {
  const std::string word = lower_case(text);
  Position position;
  if (word == "start") {
    position.nth = 0;
    return position;
  }
  if (word == "end") {
    position.nth = -1;
    return position;
  }
  const char* at = word.data();
  const char* const end = at + word.size();
  const auto number = [&](auto& value) {
    if (at == end || !std::isdigit(static_cast<unsigned char>(*at))) return false;
    const auto result = std::from_chars(at, end, value);
    at = result.ptr;
    return result.ec == std::errc();
  };
  std::string_view order = "lesgi";  // parts come in this order, each at most once
  bool any = false;
  while (at != end) {
    if (any && *at == '#' && position.item >= 0) {
      ++at;
      if (!number(position.nth) || position.nth < 1 || at != end) return std::nullopt;
      return position;
    }
    if (any && *at++ != '.') return std::nullopt;
    if (at == end) return std::nullopt;
    const char part = *at++;
    // Stage and epoch may be in either order.
    const std::size_t place = order.find(part);
    if (place == std::string_view::npos) return std::nullopt;
    if (part == 'l'   ? !number(position.launch)
        : part == 's' ? !number(position.stage)
        : part == 'e' ? !number(position.epoch)
        : part == 'g' ? !number(position.sub_group)
        : part == 't' ? !number(position.turn)
                      : !number(position.item))
      return std::nullopt;
    order = part == 'l'                  ? "esgi"
            : part == 'i' || part == 't' ? ""
            : part == 'g'                ? "t"
            : part == 's'                ? (position.epoch < 0 ? "egi" : "gi")
                                         : (position.stage < 0 ? "sgi" : "gi");
    any = true;
  }
  if (!any) return std::nullopt;
  return position;
}

std::string to_string(const Position& position) {
  if (position.nth == 0) return "start";
  if (position.nth < 0) return "end";
  std::string text;
  const auto part = [&](char letter, std::int64_t number) {
    if (number >= 0) text += fmt::format("{}{}{}", text.empty() ? "" : ".", letter, number);
  };
  part('L', position.launch);
  part('E', position.epoch);
  part('S', position.stage);
  part('I', position.item);
  part('G', position.sub_group);
  part('T', position.turn);
  if (position.nth > 1 && position.item >= 0) text += fmt::format("#{}", position.nth);
  return text;
}

Position position_of(const Operation& operation) {
  Position position;
  position.launch = operation.launch;
  if (operation.stage > 0)
    position.stage = operation.stage;
  else if (operation.epoch > 0)
    position.epoch = operation.epoch;
  position.item = static_cast<std::int64_t>(operation.item);
  return position;
}

Position position_of(const TraceSource& trace, std::uint64_t step) {
  const auto& segments = trace.info().segments;
  Position position;
  position.nth = 0;
  if (step == 0 || step > trace.info().steps) return position;
  const std::size_t number = trace.info().segment_of(step);
  const Segment* const segment = &segments[number];
  position.launch = segment->launch;
  // A stage alone names the segment when the launch has it once; else the epoch is needed too.
  const auto alike = [&](const Segment& s) { return s.launch == segment->launch && s.stage == segment->stage; };
  const bool once = std::count_if(segments.begin(), segments.end(), alike) == 1;
  const bool alone = std::count_if(segments.begin(), segments.end(),
                                   [&](const Segment& s) { return s.launch == segment->launch; }) == 1;
  if (segment->stage > 0 || (once && !alone)) position.stage = segment->stage;
  if (!once) position.epoch = segment->epoch;

  const auto& blocks = trace.blocks();
  const auto block = std::partition_point(blocks.begin(), blocks.end(), [&](const BlockEntry& entry) {
    return entry.segment < number ||
           (entry.segment == number && !entry.barriers && entry.first_step + entry.count <= step);
  });
  const OperationBlock decoded = decode_indices(trace.block_bytes(*block), trace.info());
  const std::uint32_t item = decoded.item[step - block->first_step];
  position.item = item;
  for_items(trace, number, item, [&](std::uint64_t at, std::uint64_t who) {
    if (at <= step && who == item) ++position.nth;
    return at < step;
  });
  return position;
}

std::uint64_t find_step(const TraceSource& trace, std::string_view text) {
  const auto position = parse_position(text);
  if (!position)
    throw usage_error(
        "{} is not a position; positions look like L2.S3.I5 (launch, stage, work-item), L2.S3.G0.T1 "
        "(launch, stage, sub-group, turn), start or end",
        text);
  if (position->nth == 0) return 0;
  if (position->nth < 0) return trace.info().steps;
  const auto& all = trace.info().segments;
  std::vector<std::size_t> segments;
  for (std::size_t s = 0; s < all.size(); ++s)
    if (matches(all[s], *position)) segments.push_back(s);
  if (segments.empty()) throw no_such_place(trace.info(), *position);
  if (position->sub_group >= 0) return find_in_lockstep(trace, segments, *position);
  if (position->item >= 0) return find_item(trace, segments, *position);
  return std::clamp<std::uint64_t>(all[segments.front()].first_step, std::min<std::uint64_t>(1, trace.info().steps),
                                   trace.info().steps);
}

}  // namespace twiddle
