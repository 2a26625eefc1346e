#include "tracer/replay/sub_groups.h"

#include "base/values/json_text.h"
#include "tracer/cost/sub_group_cost.h"
#include "tracer/print/print.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <bit>
#include <vector>

namespace twiddle {
namespace {

// Gathers the operations of one sub-group.
class Gatherer {
 public:
  void add(SubGroupWork& work, const Operation& operation) {
    const std::uint64_t lane = operation.item - work.first_item;
    work.busy |= std::uint64_t(1) << lane;
    ++work.operations;
    ++of_kind_[static_cast<std::size_t>(operation.kind)];
    if (operation.kind != OperationKind::Atomic || operation.writes.empty()) return;
    ++work.atomics;
    const std::size_t round = made_[lane]++;
    if (rounds_.size() <= round) rounds_.resize(round + 1);
    rounds_[round].push_back(std::uint64_t(operation.writes[0].buffer) << index_bits | operation.writes[0].index);
  }

  // Sums up, and forgets everything.
  void finish(SubGroupWork& work) {
    std::uint64_t most = 0;
    for (std::size_t kind = 0; kind < operation_kind_count; ++kind) {
      if (of_kind_[kind] <= most) continue;
      most = of_kind_[kind];
      work.kind = static_cast<OperationKind>(kind);
    }
    work.rounds = rounds_.size();
    for (auto& touched : rounds_) {
      const Contention met = contention(touched);
      work.turns += met.turns;
      if (met.turns <= work.worst) continue;
      work.worst = met.turns;
      work.buffer = static_cast<int>(met.element >> index_bits);
      work.element = met.element & ((std::uint64_t(1) << index_bits) - 1);
    }
    rounds_.clear();
    made_.fill(0);
    of_kind_.fill(0);
  }

 private:
  static constexpr int index_bits = 32;                  // of an element, in the log and here
  std::vector<std::vector<std::uint64_t>> rounds_;       // buffer and element of each atomic
  std::array<std::size_t, max_sub_group_items> made_{};  // atomics of each item so far
  std::array<std::uint64_t, operation_kind_count> of_kind_{};
};

SubGroupWork blank(const Segment& segment, const SubGroups& sub_groups, std::uint64_t which) {
  SubGroupWork work;
  const SubGroup items = sub_groups.at(which);
  work.launch = segment.launch;
  work.epoch = segment.epoch;
  work.stage = segment.stage;
  work.group = which / sub_groups.per_group;
  work.number = which % sub_groups.per_group;
  work.first_item = items.first;
  work.first_local = work.number * sub_groups.width;
  work.items = static_cast<int>(items.items());
  return work;
}

std::uint64_t all_lanes(const SubGroupWork& work) {
  return work.items >= max_sub_group_items ? ~std::uint64_t(0) : (std::uint64_t(1) << work.items) - 1;
}

// Items by their numbers in the group: "3", runs as "1-5", every second one as "1-31:2".
std::string lanes_text(const SubGroupWork& work, std::uint64_t lanes) {
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t lane = 0; lane < static_cast<std::uint64_t>(work.items); ++lane)
    if (lanes >> lane & 1) numbers.push_back(work.first_local + lane);
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    const std::uint64_t step = i + 1 < numbers.size() ? numbers[i + 1] - numbers[i] : 1;
    while (last + 1 < numbers.size() && numbers[last + 1] - numbers[last] == step) ++last;
    if (step > 1 && last < i + 2) last = i;  // two are no pattern yet
    text += fmt::format("{}{}", text.empty() ? "" : ",", numbers[i]);
    if (last > i) text += fmt::format("-{}", numbers[last]);
    if (last > i && step > 1) text += fmt::format(":{}", step);
    i = last + 1;
  }
  return text;
}

double mean_turns(const SubGroupWork& work) {
  return work.rounds ? static_cast<double>(work.turns) / static_cast<double>(work.rounds) : 0;
}

}  // namespace

int SubGroupWork::busy_items() const { return std::popcount(busy); }

void for_each_sub_group(Replay& replay, int width, const SubGroupFilter& filter,
                        const std::function<void(const SubGroupWork&)>& each) {
  const TraceInfo& info = replay.info();
  Gatherer gatherer;
  for (const Segment& segment : info.segments) {
    if (filter.launch && static_cast<std::uint64_t>(segment.launch) != *filter.launch) continue;
    if (filter.stage && static_cast<std::uint64_t>(segment.stage) != *filter.stage) continue;
    const LaunchInfo* launch = info.launch(segment.launch);
    if (segment.count == 0 || !launch) continue;
    const SubGroups sub_groups(launch->group_size(), static_cast<std::uint64_t>(width));
    const std::uint64_t count = sub_groups.count(launch->items());
    std::uint64_t at = 0;
    SubGroupWork work = blank(segment, sub_groups, at);
    const auto go_to = [&](std::uint64_t which) {
      for (; at < which; work = blank(segment, sub_groups, ++at)) {
        gatherer.finish(work);
        each(work);
      }
    };
    // Items come in order, so that a sub-group is done when the next one's first operation comes.
    replay.for_each(segment.first_step, segment.end_step() - 1, false, [&](const Operation& operation) {
      const std::uint64_t which = sub_groups.number_of(operation.item);
      if (which >= count || which < at) return true;  // a damaged file
      go_to(which);
      gatherer.add(work, operation);
      return true;
    });
    go_to(count);
  }
}

std::string text_line(const TraceInfo& info, const SubGroupWork& work) {
  std::string line = line_head(info, work.launch, work.stage, work.epoch);
  line += fmt::format(" group={} sub-group={} items={} busy={}/{}", work.group, work.number,
                      lanes_text(work, all_lanes(work)), work.busy_items(), work.items);
  if (const std::uint64_t idle = all_lanes(work) & ~work.busy) line += " idle=" + lanes_text(work, idle);
  if (work.operations == 0) return line;
  line += fmt::format(" operations={} most={}", work.operations, name_of(work.kind));
  if (work.atomics == 0) return line;
  const BufferInfo* buffer = info.buffer(work.buffer);
  return line + fmt::format(" atomics={} rounds={} contention={} mean={:.2f} at={}[{}]", work.atomics, work.rounds,
                            work.worst, mean_turns(work), buffer ? buffer->name : "?", work.element);
}

std::string json_line(const TraceInfo& info, const SubGroupWork& work) {
  using Json = nlohmann::ordered_json;
  const LaunchInfo* launch = info.launch(work.launch);
  Json line{{"launch", work.launch}};
  if (launch) line["kernel"] = launch->kernel;
  if (work.stage > 0) line["stage"] = work.stage;
  line["epoch"] = work.epoch;
  line["group"] = launch ? launch->group_id(work.first_item) : std::array<std::size_t, 3>{};
  line["sub_group"] = work.number;
  line["items"] = {work.first_local, work.first_local + static_cast<std::uint64_t>(work.items) - 1};
  line["busy"] = work.busy_items();
  line["idle"] = Json::array();
  for (int lane = 0; lane < work.items; ++lane)
    if (!(work.busy >> lane & 1)) line["idle"].push_back(work.first_local + static_cast<std::uint64_t>(lane));
  line["operations"] = work.operations;
  if (work.operations > 0) line["op"] = std::string(name_of(work.kind));
  if (work.atomics > 0) {
    const BufferInfo* buffer = info.buffer(work.buffer);
    line["atomics"] = work.atomics;
    line["rounds"] = work.rounds;
    line["contention"] = {{"most", work.worst}, {"mean", mean_turns(work)}, {"index", work.element}};
    if (buffer) {
      line["contention"]["buffer"] = buffer->name;
      line["contention"]["space"] = std::string(name_of(buffer->space));
    }
  }
  return json_text(line);
}

}  // namespace twiddle
