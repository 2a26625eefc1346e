// Where work-items wait for each other: barriers of the group and the grid, operations of the warp, and who is missing there.
#include "tracer/host/host_warp.h"
#include "tracer/host/host_worker.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace twiddle {

using twiddle_host::BarrierOperation;
using twiddle_host::warp_size;
using twiddle_host::WarpOperation;

// ---- Barriers ----

unsigned HostWorker::group_barrier(Record& record, BarrierOperation operation, unsigned predicate, int line) {
  GroupState& group = *record.group;
  record.state = State::AtBarrier;
  record.operation = static_cast<unsigned>(operation);
  record.value = predicate;
  record.line = line;
  if (++group.arrived == launch_->group_size()) {
    const bool together = std::all_of(group.records, group.records + launch_->group_size(), [&](const Record& other) {
      return other.line == line && other.operation == record.operation;
    });
    if (!together) end_with(record, missing_from(group.records, launch_->group_size(), false));
    open_barrier(group);
  }
  settle_active(record);
  suspend(record);
  return static_cast<unsigned>(record.result);
}

void HostWorker::open_barrier(GroupState& group) {
  const std::uint32_t size = launch_->group_size();
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < size; ++i) count += group.records[i].value != 0;
  order_.clear();
  for (std::uint32_t i = 0; i < size; ++i) {
    Record& record = group.records[i];
    switch (static_cast<BarrierOperation>(record.operation)) {
      case BarrierOperation::Sync:
      case BarrierOperation::Copies: break;
      case BarrierOperation::Count: record.result = count; break;
      case BarrierOperation::And: record.result = count == size; break;
      case BarrierOperation::Or: record.result = count > 0; break;
    }
    order_.push_back(record.index);
  }
  group.arrived = 0;
  make_ready(order_, group.number, ++group.epoch);
}

void HostWorker::grid_barrier(Record& record, int line) {
  if (!launch_->cooperative) {
    HostFault fault = fault_of(record, HostFault::Kind::Stopped);
    fault.line = line;
    fault.reason =
        Message("it waits for the whole grid, and the launch is not cooperative (cooperative = true in the plan)");
    end_with(record, std::move(fault));
  }
  record.state = State::AtGridBarrier;
  record.operation = 0;
  record.line = line;
  if (++grid_arrived_ == records_.size()) {
    const bool together =
        std::all_of(records_.begin(), records_.end(), [&](const Record& other) { return other.line == line; });
    if (!together) end_with(record, missing_from(records_.data(), records_.size(), true));
    grid_arrived_ = 0;
    order_.resize(records_.size());
    for (std::uint32_t i = 0; i < order_.size(); ++i) order_[i] = i;
    make_ready(order_, ~std::uint64_t(0), ++grid_epoch_);
  }
  settle_active(record);
  suspend(record);
}

// ---- Warps ----

unsigned long long HostWorker::warp(Record& record, WarpOperation operation, unsigned mask, unsigned long long value,
                                    unsigned source, int line) {
  if (!(mask >> record.rank % warp_size & 1)) {
    HostFault fault = fault_of(record, HostFault::Kind::Stopped);
    fault.line = line;
    fault.reason = Message("it takes part in a warp operation whose mask leaves it out");
    end_with(record, std::move(fault));
  }
  record.state = State::AtWarp;
  record.operation = static_cast<unsigned>(operation);
  record.mask = mask;
  record.value = value;
  record.source = source;
  record.line = line;
  ++record.group->at_warps;
  complete_warp(record);
  settle_active(record);
  suspend(record);
  return record.result;
}

// Lets the lanes of a warp go on whose masks are complete, after this item changed its state; lanes that have left the
// kernel are not waited for.
void HostWorker::complete_warp(Record& changed) {
  GroupState& group = *changed.group;
  const std::uint32_t first = changed.rank / warp_size * warp_size;
  const std::uint32_t lanes = std::min<std::uint32_t>(warp_size, launch_->group_size() - first);
  Record* warp = group.records + first;
  for (std::uint32_t leader = 0; leader < lanes; ++leader) {
    const Record& head = warp[leader];
    if (head.state != State::AtWarp || head.operation == static_cast<unsigned>(WarpOperation::Active)) continue;
    const unsigned mask = head.mask, operation = head.operation;
    unsigned taking_part = 0;
    bool complete = true;
    for (std::uint32_t lane = 0; lane < lanes && complete; ++lane) {
      if (!(mask >> lane & 1) || warp[lane].state == State::Done) continue;
      complete = warp[lane].state == State::AtWarp && warp[lane].mask == mask && warp[lane].operation == operation;
      taking_part |= 1u << lane;
    }
    if (!complete) {
      if (changed.state == State::AtWarp && changed.mask == mask) break;  // it is the one that was looked at
      continue;
    }

    std::array<WarpLane, warp_size> brought{};
    for (std::uint32_t lane = 0; lane < lanes; ++lane) brought[lane] = {warp[lane].value, warp[lane].source};
    const auto results =
        warp_results(static_cast<WarpOperation>(operation), std::span(brought).first(lanes), taking_part);
    order_.clear();
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      if (!(taking_part >> lane & 1)) continue;
      warp[lane].result = results[lane];
      order_.push_back(warp[lane].index);
    }
    for (const std::uint32_t index : order_) records_[index].state = State::Ready;
    group.at_warps -= static_cast<std::uint32_t>(order_.size());
    make_ready(order_, group.number, ++group.epoch);
  }
}

// Lanes that ask which of their warp are active wait until no lane of it can go on without them, after this item changed its
// state: those at one line are active together then.
void HostWorker::settle_active(const Record& changed) {
  GroupState& group = *changed.group;
  if (group.at_warps == 0) return;
  const std::uint32_t first = changed.rank / warp_size * warp_size;
  const std::span warp(group.records + first, std::min<std::uint32_t>(warp_size, launch_->group_size() - first));
  const auto asks = [](const Record& lane) {
    return lane.state == State::AtWarp && lane.operation == static_cast<unsigned>(WarpOperation::Active);
  };
  const auto can_go_on = [](const Record& lane) {
    return lane.state == State::New || (lane.state == State::Ready && !lane.spins);
  };
  if (std::none_of(warp.begin(), warp.end(), asks) || std::any_of(warp.begin(), warp.end(), can_go_on)) return;
  const auto leader = std::find_if(warp.begin(), warp.end(), asks);
  const int line = leader->line;
  unsigned together = 0;
  order_.clear();
  for (std::uint32_t lane = 0; lane < warp.size(); ++lane)
    if (asks(warp[lane]) && warp[lane].line == line) {
      together |= 1u << lane;
      order_.push_back(warp[lane].index);
    }
  for (const std::uint32_t index : order_) {
    records_[index].result = together;
    records_[index].state = State::Ready;
  }
  group.at_warps -= static_cast<std::uint32_t>(order_.size());
  make_ready(order_, group.number, ++group.epoch);
}

// ---- Who is missing ----

// Some of these items wait at a barrier and others do not, or at another one: who of the smaller party is the first?
HostFault HostWorker::missing_from(const Record* first, std::uint64_t count, bool grid) const {
  const State at = grid ? State::AtGridBarrier : State::AtBarrier;
  // The barrier at which most wait is the one that the others miss.
  std::vector<std::pair<int, std::uint64_t>> lines;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (first[i].state != at) continue;
    const auto known =
        std::find_if(lines.begin(), lines.end(), [&](const auto& one) { return one.first == first[i].line; });
    if (known == lines.end())
      lines.emplace_back(first[i].line, 1);
    else
      ++known->second;
  }
  const auto most =
      std::max_element(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  const Record* culprit = first;
  const Record* other = first;
  const auto waits = [&](const Record& record) { return record.state == at && record.line == most->first; };
  for (std::uint64_t i = count; i-- > 0;) (waits(first[i]) ? other : culprit) = &first[i];

  HostFault fault = fault_of(*culprit, HostFault::Kind::Barrier);
  fault.left = culprit->state == State::Done;
  fault.line = fault.left ? 0 : culprit->line;
  fault.other = fault_of(*other, fault.kind).item;
  fault.other_line = most->first;
  fault.waiting = most->second;
  fault.grid = grid;
  return fault;
}

// No item can run, and not all have ended.
HostFault HostWorker::stuck() const {
  for (const Record& record : records_) {
    // A lane waits for another one of its warp, which waits for something else.
    if (record.state == State::AtWarp) {
      const std::uint32_t first = record.rank / warp_size * warp_size;
      for (std::uint32_t lane = 0; lane < warp_size && first + lane < launch_->group_size(); ++lane) {
        const Record& missing = record.group->records[first + lane];
        if (!(record.mask >> lane & 1) || missing.state == State::Done) continue;
        if (missing.state == State::AtWarp && missing.mask == record.mask && missing.operation == record.operation)
          continue;
        HostFault fault = fault_of(missing, HostFault::Kind::Warp);
        fault.line = missing.line;
        fault.other = fault_of(record, fault.kind).item;
        fault.other_line = record.line;
        fault.waiting = 1;
        return fault;
      }
    }
  }
  for (std::size_t g = 0; g < living_groups_; ++g)
    if (groups_[g]->arrived > 0) return missing_from(groups_[g]->records, launch_->group_size(), false);
  return missing_from(records_.data(), records_.size(), true);
}

}  // namespace twiddle
