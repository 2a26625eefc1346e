#include "tracer/checks/order/synchronisation.h"

#include <algorithm>
#include <set>

namespace twiddle {
namespace {

bool releasing(MemoryOrder order) {
  return order == MemoryOrder::Release || order == MemoryOrder::AcquireRelease || order == MemoryOrder::Sequential;
}
bool acquiring(MemoryOrder order) {
  return order == MemoryOrder::Acquire || order == MemoryOrder::AcquireRelease || order == MemoryOrder::Sequential;
}

}  // namespace

Synchronisation::Synchronisation(const AccessLog& log, std::uint64_t group_size, std::uint64_t sub_group_size,
                                 bool cuda, std::uint64_t max_steps)
    : group_size_(std::max<std::uint64_t>(group_size, 1)),
      sub_group_size_(std::max<std::uint64_t>(sub_group_size, 1)),
      max_steps_(max_steps) {
  for (std::uint64_t i = 0; i < log.items(); ++i) read_item(log, i, cuda);
  for (std::uint32_t s = 0; s < syncs_.size(); ++s)
    if (syncs_[s].writes) {
      writers_[syncs_[s].left].push_back(s);
      writes_[group_of(syncs_[s].item)].push_back(s);
    }
  for (std::uint32_t s = 0; s < syncs_.size(); ++s)
    if (syncs_[s].reads && may_matter(syncs_[s])) {
      reads_[group_of(syncs_[s].item)].push_back(s);
      own_reads_[syncs_[s].item].push_back(s);
    }
}

std::uint32_t Synchronisation::value_of(const Location& where, std::int64_t owner, std::uint64_t value) {
  const auto [at, added] =
      numbers_.try_emplace(std::tuple(where, owner, value), static_cast<std::uint32_t>(writers_.size()));
  if (added) writers_.emplace_back();
  return at->second;
}

void Synchronisation::read_item(const AccessLog& log, std::uint64_t number, bool cuda) {
  const std::uint64_t item = log.first_item + number, end = log.begin[number + 1];
  const std::size_t first = syncs_.size();
  std::vector<Fence> fences;
  int epoch = 0;
  std::uint32_t sub_epoch = 0;
  Records fenced;
  for (auto& reach : fenced) reach.fill(never);
  for (std::uint64_t k = log.begin[number]; k < end; ++k) {
    const AccessSite& site = log.sites[log.site[k]];
    const bool barrier = site.kind == AccessKind::Barrier;
    if (barrier || site.kind == AccessKind::Fence || site.kind == AccessKind::Exchange) {
      Fence fence;
      fence.record = k;
      fence.memory = log.value[k] & (ordered_local | ordered_global);
      const bool group = site.scope >= MemoryScope::Group;
      fence.releases_to_device = site.scope >= MemoryScope::Device || (barrier && group && !cuda);
      fence.acquires_from_device = fence.releases_to_device || site.kind != AccessKind::Fence;
      // What meets the sub-group alone is no fence for those outside of it, but what follows it waits for its reads.
      fence.releases = site.kind == AccessKind::Fence ? releasing(site.order) : barrier && group;
      fence.acquires = site.kind == AccessKind::Fence ? acquiring(site.order) : true;
      if (site.kind == AccessKind::Exchange) fence.memory = ordered_local | ordered_global;
      epoch += barrier && group;
      sub_epoch += site.kind == AccessKind::Exchange || (barrier && !group);
      fence.epoch = epoch;
      fence.sub_epoch = sub_epoch;
      for (const std::size_t space : {0U, 1U})
        if (fence.releases && (fence.memory & (std::uint64_t(1) << space))) {
          fenced[in_group][space] = k;
          if (fence.releases_to_device) fenced[in_device][space] = k;
        }
      fences.push_back(fence);
    }
    if (!is_atomic(site.kind) && !(site.is_volatile && touches_memory(site.kind))) continue;
    Sync sync;
    sync.item = item;
    sync.record = k;
    sync.epoch = epoch;
    sync.sub_epoch = sub_epoch;
    sync.where = {log.buffer[k], log.offset[k]};
    const std::int64_t owner = site.space == Space::Local ? static_cast<std::int64_t>(group_of(item)) : -1;
    sync.reads = is_read(site.kind);
    sync.writes = is_write(site.kind);
    MemoryOrder written = site.order;
    if (sync.reads) sync.seen = value_of(sync.where, owner, log.value[k]);
    if (sync.writes) sync.left = value_of(sync.where, owner, log.value[k]);
    // A read-modify-write is two records.
    if (site.kind == AccessKind::AtomicLoad && k + 1 < end) {
      const AccessSite& next = log.sites[log.site[k + 1]];
      if (next.kind == AccessKind::AtomicStore && log.offset[k + 1] == log.offset[k] &&
          log.buffer[k + 1] == log.buffer[k]) {
        sync.writes = true;
        sync.left = value_of(sync.where, owner, log.value[k + 1]);
        written = next.order;
        ++k;
      }
    }
    sync.last_record = k;
    sync.device = site.scope >= MemoryScope::Device;
    for (const std::size_t space : {0U, 1U})
      for (const std::size_t reach : {in_group, in_device}) {
        const bool reaches = reach == in_group || sync.device;
        sync.released[reach][space] = !sync.writes || !reaches ? never : releasing(written) ? k : fenced[reach][space];
        sync.acquired[reach][space] = sync.reads && reaches && acquiring(site.order) ? sync.record : never;
      }
    // Who waits for a flag reads it again and again: the first of these is before all others.
    if (sync.reads && !sync.writes)
      if (syncs_.size() > first && syncs_.back().reads && !syncs_.back().writes && syncs_.back().seen == sync.seen &&
          syncs_.back().epoch == epoch && syncs_.back().sub_epoch == sub_epoch)
        continue;
    syncs_.push_back(sync);
  }
  // A relaxed read acquires with the next fence.
  for (std::size_t s = first; s < syncs_.size(); ++s) {
    Sync& sync = syncs_[s];
    if (!sync.reads) continue;
    for (auto fence = std::partition_point(fences.begin(), fences.end(),
                                           [&](const Fence& one) { return one.record < sync.record; });
         fence != fences.end(); ++fence) {
      if (!fence->acquires) continue;
      for (const std::size_t space : {0U, 1U})
        if (fence->memory & (std::uint64_t(1) << space)) {
          sync.acquired[in_group][space] = std::min(sync.acquired[in_group][space], fence->record);
          if (fence->acquires_from_device && sync.device)
            sync.acquired[in_device][space] = std::min(sync.acquired[in_device][space], fence->record);
        }
      if (fence->acquires_from_device && fence->memory == (ordered_local | ordered_global)) break;
    }
  }
  if (syncs_.size() > first || !fences.empty()) fences_.emplace(item, std::move(fences));
}

// Whether an item that no barrier orders before this read left what it saw.
bool Synchronisation::may_matter(const Sync& read) const {
  const auto& writers = writers_[read.seen];
  return std::any_of(writers.begin(), writers.end(), [&](std::uint32_t w) {
    const Sync& write = syncs_[w];
    return write.item != read.item && !(group_of(write.item) == group_of(read.item) && write.epoch < read.epoch);
  });
}

bool Synchronisation::met(std::uint64_t item, int epoch, std::uint32_t sub_epoch, std::uint64_t then_item,
                          int then_epoch, std::uint32_t then_sub_epoch) const {
  if (group_of(item) != group_of(then_item)) return false;
  return epoch < then_epoch || (sub_group_of(item) == sub_group_of(then_item) && sub_epoch < then_sub_epoch);
}

const std::vector<Synchronisation::Fence>& Synchronisation::fences_of(std::uint64_t item) const {
  static const std::vector<Fence> none;
  const auto at = fences_.find(item);
  return at == fences_.end() ? none : at->second;
}

bool Synchronisation::releases(const Place& first, const Sync& write, std::size_t reach, bool local, bool any) const {
  if (reach == in_device && !write.device) return false;
  const std::uint64_t released = any ? write.last_record : write.released[reach][local ? 0 : 1];
  if (write.item == first.item) return released != never && released >= first.record;
  if (!met(first.item, first.epoch, first.sub_epoch, write.item, write.epoch, write.sub_epoch)) return false;
  if (any || released == write.last_record) return true;
  // The writer's own fence is behind the meeting, or the first item's before it.
  const auto from = [](const std::vector<Fence>& fences, std::uint64_t record) {
    return std::partition_point(fences.begin(), fences.end(), [&](const Fence& one) { return one.record < record; });
  };
  if (released != never) {
    const auto fence = from(fences_of(write.item), released);
    if (met(first.item, first.epoch, first.sub_epoch, write.item, fence->epoch, fence->sub_epoch)) return true;
  }
  const std::uint64_t memory = local ? ordered_local : ordered_global;
  const auto& own = fences_of(first.item);
  return std::any_of(from(own, first.record), own.end(), [&](const Fence& fence) {
    return fence.releases && (reach == in_group || fence.releases_to_device) && (fence.memory & memory) &&
           met(first.item, fence.epoch, fence.sub_epoch, write.item, write.epoch, write.sub_epoch);
  });
}

bool Synchronisation::acquires(const Sync& read, const Place& then, std::size_t reach, bool local, bool any) const {
  if (reach == in_device && !read.device) return false;
  if (read.item != then.item) return met(read.item, read.epoch, read.sub_epoch, then.item, then.epoch, then.sub_epoch);
  if (any || then.atomic) return read.record < then.record;
  const std::uint64_t acquired = read.acquired[reach][local ? 0 : 1];
  return acquired != never && acquired < then.record;
}

Synchronisation::Key Synchronisation::key_of(const Place& then, bool local, bool any) const {
  Key key;
  key.group = group_of(then.item);
  key.sub_group = sub_group_of(then.item);
  key.epoch = then.epoch;
  key.sub_epoch = then.sub_epoch;
  key.local = local;
  key.any = any;
  const auto own = own_reads_.find(then.item);
  if (own == own_reads_.end()) return key;
  key.item = then.item;
  key.atomic = then.atomic;
  for (const std::uint32_t r : own->second)
    for (const std::size_t reach : {in_group, in_device}) key.reads += acquires(syncs_[r], then, reach, local, any);
  return key;
}

// The writes that are before a place, each with how far it has to reach to be so.
const Synchronisation::Reached& Synchronisation::reached_before(const Place& then, bool local, bool any) {
  constexpr std::size_t most = std::size_t(1) << 26;  // bytes of answers that are kept
  const Key key = key_of(then, local, any);
  if (const auto known = reached_.find(key); known != reached_.end()) return known->second;
  if ((reached_.size() + 1) * syncs_.size() > most) reached_.clear();
  Reached& reached = reached_.try_emplace(key, Reached(syncs_.size(), 0)).first->second;

  std::vector<std::uint8_t> read_before(syncs_.size(), 0);   // 1 << reach, as in `reached`
  std::vector<std::pair<std::uint32_t, std::size_t>> reads;  // to look at, with how far each acquires
  const auto look_before = [&](const Place& place) {
    const auto at = reads_.find(group_of(place.item));
    if (at == reads_.end()) return;
    for (const std::uint32_t r : at->second)
      for (const std::size_t reach : {in_group, in_device})
        if (!(read_before[r] & (1U << reach)) && acquires(syncs_[r], place, reach, local, any)) {
          read_before[r] |= static_cast<std::uint8_t>(1U << reach);
          reads.emplace_back(r, reach);
        }
  };
  look_before(then);
  std::set<std::tuple<std::size_t, std::uint64_t, std::uint32_t>> looked_at;  // reach, group (0: all), value
  std::vector<std::uint32_t> values;
  while (!reads.empty() && steps_ < max_steps_) {
    const auto [read, reach] = reads.back();
    reads.pop_back();
    const std::uint64_t group = group_of(syncs_[read].item);
    // What it saw, and what that was made of by read-modify-writes.
    for (values.assign(1, syncs_[read].seen); !values.empty();) {
      const std::uint32_t value = values.back();
      values.pop_back();
      if (!looked_at.emplace(reach, reach == in_group ? group : 0, value).second) continue;
      for (const std::uint32_t w : writers_[value]) {
        const Sync& write = syncs_[w];
        ++steps_;
        if (write.reads) values.push_back(write.seen);
        if ((reach == in_group && group_of(write.item) != group) || (reached[w] & (1U << reach))) continue;
        reached[w] |= static_cast<std::uint8_t>(1U << reach);
        const auto before = reads_.find(group_of(write.item));
        if (before == reads_.end()) continue;
        steps_ += before->second.size();
        for (const std::uint32_t r : before->second)
          for (const std::size_t far : {in_group, in_device}) {
            if (read_before[r] & (1U << far)) continue;
            const Sync& one = syncs_[r];
            const Place place{one.item, any ? one.record : one.acquired[far][local ? 0 : 1], one.epoch, one.sub_epoch};
            if ((far == in_device && !one.device) || !releases(place, write, reach, local, any)) continue;
            read_before[r] |= static_cast<std::uint8_t>(1U << far);
            reads.emplace_back(r, far);
          }
      }
    }
  }
  return reached;
}

// A location's own atomics are in an order that needs no releasing: what was there before one of them is before what comes after
// the one that saw it.
bool Synchronisation::same_place(const Place& first, const Place& then, const Location& where) {
  const auto from = writes_.find(group_of(first.item));
  if (from == writes_.end()) return false;
  for (const std::uint32_t w : from->second) {
    const Sync& write = syncs_[w];
    if (write.where != where || !releases(first, write, in_group, false, true)) continue;
    const auto to = reads_.find(group_of(then.item));
    if (to == reads_.end()) return false;
    for (const std::uint32_t r : to->second) {
      const Sync& read = syncs_[r];
      if (read.where != where || !acquires(read, then, in_group, false, true)) continue;
      std::set<std::uint32_t> looked_at;
      std::vector<std::uint32_t> values{read.seen};
      while (!values.empty() && steps_ < max_steps_) {
        ++steps_;
        const std::uint32_t value = values.back();
        values.pop_back();
        if (value == write.left) return true;
        if (!looked_at.insert(value).second) continue;
        for (const std::uint32_t other : writers_[value])
          if (syncs_[other].reads) values.push_back(syncs_[other].seen);
      }
    }
  }
  return false;
}

std::optional<bool> Synchronisation::orders(const Place& first, const Place& then, const Location& where, bool local,
                                            Meeting meeting) {
  const bool any = meeting == Meeting::Any;
  const auto from = writes_.find(group_of(first.item));
  if (from == writes_.end() || !reads_.count(group_of(then.item))) return false;
  if (steps_ >= max_steps_) return std::nullopt;
  const Reached& reached = reached_before(then, local, any);
  for (const std::uint32_t w : from->second)
    for (const std::size_t reach : {in_group, in_device})
      if ((reached[w] & (1U << reach)) && releases(first, syncs_[w], reach, local, any)) return true;
  if (steps_ < max_steps_ && same_place(first, then, where)) return true;
  return steps_ < max_steps_ ? std::optional(false) : std::nullopt;
}

}  // namespace twiddle
