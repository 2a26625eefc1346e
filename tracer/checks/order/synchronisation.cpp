#include "tracer/checks/order/synchronisation.h"

#include <algorithm>
#include <set>

namespace twiddle {
namespace {

bool releasing(MemoryOrder order) {
  return order == MemoryOrder::Release || order == MemoryOrder::AcquireRelease || order == MemoryOrder::Sequential;
}

}  // namespace

Synchronisation::Synchronisation(const AccessLog& log, std::uint64_t group_size, std::uint64_t sub_group_size)
    : group_size_(std::max<std::uint64_t>(group_size, 1)), sub_group_size_(std::max<std::uint64_t>(sub_group_size, 1)) {
  for (std::uint64_t i = 0; i < log.items(); ++i) {
    int epoch = 0;
    std::uint32_t sub_epoch = 0;
    bool fenced = false;  // a fence, or a barrier, which is one, came before
    for (std::uint64_t k = log.begin[i]; k < log.begin[i + 1]; ++k) {
      const AccessSite& site = log.sites[log.site[k]];
      if (site.kind == AccessKind::Barrier) {
        epoch += site.scope >= MemoryScope::Group;
        sub_epoch += site.scope == MemoryScope::SubGroup;
        fenced = fenced || site.scope >= MemoryScope::Device;
      }
      if (site.kind == AccessKind::Exchange) ++sub_epoch;
      if (site.kind == AccessKind::Fence) fenced = true;
      if (!is_atomic(site.kind) && !(site.is_volatile && touches_memory(site.kind))) continue;
      Sync sync;
      sync.item = log.first_item + i;
      sync.record = k;
      sync.epoch = epoch;
      sync.sub_epoch = sub_epoch;
      sync.where = {log.buffer[k], log.offset[k]};
      sync.reads = is_read(site.kind);
      sync.writes = is_write(site.kind);
      sync.releases = sync.writes && (fenced || releasing(site.order));
      (sync.reads ? sync.old_value : sync.new_value) = log.value[k];
      // A read-modify-write is two records.
      if (site.kind == AccessKind::AtomicLoad && k + 1 < log.begin[i + 1]) {
        const AccessSite& next = log.sites[log.site[k + 1]];
        if (next.kind == AccessKind::AtomicStore && log.offset[k + 1] == log.offset[k] &&
            log.buffer[k + 1] == log.buffer[k]) {
          sync.writes = true;
          sync.releases = fenced || releasing(next.order) || releasing(site.order);
          sync.new_value = log.value[k + 1];
          ++k;
        }
      }
      const std::uint64_t group = sync.item / group_size_;
      if (sync.writes) writes_[group].push_back(syncs_.size());
      if (sync.reads) reads_[group].push_back(syncs_.size());
      syncs_.push_back(sync);
    }
  }
  number_turns();
}

// Where no two read-modify-writes of a location found the same value, each follows the one that left what it found.
void Synchronisation::number_turns() {
  std::map<Location, std::map<std::uint64_t, std::size_t>> by_old;
  std::set<Location> ambiguous;
  for (std::size_t s = 0; s < syncs_.size(); ++s)
    if (syncs_[s].reads && syncs_[s].writes && !by_old[syncs_[s].where].emplace(syncs_[s].old_value, s).second)
      ambiguous.insert(syncs_[s].where);
  for (auto& [where, next] : by_old) {
    if (ambiguous.count(where)) continue;
    std::set<std::uint64_t> left;
    for (const auto& [old_value, s] : next) left.insert(syncs_[s].new_value);
    const auto first = std::find_if(next.begin(), next.end(), [&](const auto& one) { return !left.count(one.first); });
    if (first == next.end()) continue;
    std::int64_t turn = 0;
    for (auto at = first; at != next.end() && syncs_[at->second].turn < 0; at = next.find(syncs_[at->second].new_value))
      syncs_[at->second].turn = turn++;
    chained_[where] = turn == static_cast<std::int64_t>(next.size());
  }
}

bool Synchronisation::saw(const Sync& read, const Sync& write) const {
  if (read.old_value == write.new_value) return true;
  const auto chained = chained_.find(write.where);
  if (write.turn >= 0 && chained != chained_.end() && chained->second) {
    if (read.turn >= 0) return read.turn > write.turn;
    for (const Sync& other : syncs_)  // a read alone: which turn left what it saw?
      if (other.where == write.where && other.turn >= 0 && other.new_value == read.old_value)
        return other.turn >= write.turn;
    return false;
  }
  return !(read.reads && !read.writes) || write.turn < 0;
}

bool Synchronisation::orders(const Place& first, const Place& then, const Location& where) const {
  const auto from = writes_.find(first.item / group_size_);
  const auto to = reads_.find(then.item / group_size_);
  if (from == writes_.end() || to == reads_.end()) return false;
  for (const std::size_t r : from->second) {
    const Sync& release = syncs_[r];
    if (!release.releases && release.where != where) continue;
    // The first access may be the atomic operation itself, whose second record it is.
    const bool after = release.item == first.item ? release.record + 1 >= first.record
                       : same_sub_group(release.item, first.item) && release.sub_epoch > first.sub_epoch
                           ? true
                           : release.epoch > first.epoch;
    if (!after) continue;
    for (const std::size_t a : to->second) {
      const Sync& acquire = syncs_[a];
      if (acquire.where != release.where || a == r) continue;
      const bool before = acquire.item == then.item ? acquire.record < then.record
                          : same_sub_group(acquire.item, then.item) && acquire.sub_epoch < then.sub_epoch
                              ? true
                              : acquire.epoch < then.epoch;
      if (before && saw(acquire, release)) return true;
    }
  }
  return false;
}

}  // namespace twiddle
