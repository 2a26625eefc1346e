#include "tracer/checks/access_walk.h"

#include "base/values/sorted.h"
#include "tracer/cost/sub_group.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace twiddle {
namespace {

bool group_barrier(const AccessSite& site) {
  return site.kind == AccessKind::Barrier && site.scope >= MemoryScope::Group;
}
bool grid_barrier(const AccessSite& site) { return group_barrier(site) && site.scope >= MemoryScope::Device; }
bool meets_sub_group(const AccessSite& site) {
  return (site.kind == AccessKind::Barrier && site.scope == MemoryScope::SubGroup) || site.kind == AccessKind::Exchange;
}

// Where an item is in its records.
struct Reader {
  std::uint64_t next = 0, end = 0;
  bool at_grid = false;  // it waits for all groups
  AccessEvent at;
};

class LaunchWalk {
 public:
  LaunchWalk(const LaunchInfo& launch, const AccessLog& log, std::uint64_t size_of_sub_groups,
             const std::function<void(const AccessEvent&)>& each)
      : log_(log), each_(each) {
    const SubGroups sub_groups(launch.group_size(), size_of_sub_groups);
    readers_.resize(log.items());
    for (std::uint64_t i = 0; i < log.items(); ++i) {
      Reader& reader = readers_[i];
      reader.next = log.begin[i];
      reader.end = log.begin[i + 1];
      reader.at.launch = &launch;
      reader.at.log = &log;
      reader.at.item = log.first_item + i;
      reader.at.group = reader.at.item / sub_groups.group_items;
      reader.at.sub_group = sub_groups.number_of(reader.at.item);
    }
    together_ = launch.cooperative;
  }

  void run() {
    std::vector<Range> groups;
    for (std::size_t first = 0; first < readers_.size();) {
      std::size_t end = readers_.size();
      if (!together_) {
        end = first + 1;
        while (end < readers_.size() && readers_[end].at.group == readers_[first].at.group) ++end;
      }
      groups.push_back({first, end});
      first = end;
    }
    for (const std::size_t one : in_order(groups)) {
      copies_meet_ = wait_alike(groups[one]);
      while (phase(groups[one].first, groups[one].end)) {}
    }
  }

 private:
  struct Range {
    std::size_t first = 0, end = 0;  // of the readers
  };

  // Whether all items of a group wait for copies the same number of times between each two barriers, as OpenCL demands: then
  // such a wait brings them together. In CUDA each thread waits for itself, and some may not.
  bool wait_alike(const Range& group) const {
    const auto meetings = [&](const Reader& reader) {
      std::vector<AccessKind> kinds;
      for (std::uint64_t r = reader.next; r < reader.end; ++r)
        if (const AccessSite& site = log_.sites[log_.site[r]]; group_barrier(site) || site.kind == AccessKind::CopyWait)
          kinds.push_back(site.kind);
      return kinds;
    };
    if (std::none_of(log_.sites.begin(), log_.sites.end(),
                     [](const AccessSite& site) { return site.kind == AccessKind::CopyWait; }))
      return false;
    const std::vector<AccessKind> first = meetings(readers_[group.first]);
    for (std::size_t i = group.first + 1; i < group.end; ++i)
      if (meetings(readers_[i]) != first) return false;
    return true;
  }

  // The groups so that one which atomically found a value comes after the group that left it: the last of all to draw a ticket
  // comes last with any number. Where they wait for one another they stay as they are numbered.
  std::vector<std::size_t> in_order(const std::vector<Range>& groups) const {
    std::vector<std::size_t> order(groups.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    const auto atomic = [](const AccessSite& site) {
      return site.kind == AccessKind::AtomicLoad || site.kind == AccessKind::AtomicStore || site.is_volatile;
    };
    if (groups.size() < 2 || std::none_of(log_.sites.begin(), log_.sites.end(), atomic)) return order;
    using Place = std::tuple<int, std::uint64_t, std::uint64_t>;  // buffer, offset, value
    std::vector<std::pair<Place, std::size_t>> left;              // and the group that left it there
    const auto each_atomic = [&](AccessKind atomic_kind, AccessKind plain_kind, const auto& use) {
      for (std::size_t g = 0; g < groups.size(); ++g)
        for (std::uint64_t r = readers_[groups[g].first].next; r < readers_[groups[g].end - 1].end; ++r) {
          const AccessSite& site = log_.sites[log_.site[r]];
          if (site.space != Space::Global ||
              (site.kind != atomic_kind && !(site.kind == plain_kind && site.is_volatile)))
            continue;
          use(g, Place(log_.buffer[r], log_.offset[r], log_.value[r]));
        }
    };
    each_atomic(AccessKind::AtomicStore, AccessKind::Store,
                [&](std::size_t g, const Place& place) { left.emplace_back(place, g); });
    sort_unique(left);
    std::vector<std::set<std::size_t>> after(groups.size());
    std::vector<std::size_t> waits(groups.size(), 0);
    each_atomic(AccessKind::AtomicLoad, AccessKind::Load, [&](std::size_t g, const Place& place) {
      const auto at = std::lower_bound(left.begin(), left.end(), std::pair(place, std::size_t(0)));
      const bool one = at != left.end() && at->first == place && (at + 1 == left.end() || (at + 1)->first != place);
      if (one && at->second != g) waits[g] += after[at->second].insert(g).second;
    });
    std::set<std::size_t> ready;
    for (std::size_t g = 0; g < groups.size(); ++g)
      if (waits[g] == 0) ready.insert(g);
    std::vector<std::size_t> sorted;
    while (!ready.empty()) {
      const std::size_t g = *ready.begin();
      ready.erase(ready.begin());
      sorted.push_back(g);
      for (const std::size_t next : after[g])
        if (--waits[next] == 0) ready.insert(next);
    }
    return sorted.size() == groups.size() ? sorted : order;
  }

  // Every item up to and with its next meeting of the group; false when no item had anything left.
  bool phase(std::size_t first, std::size_t end) {
    bool any = false;
    const auto here = std::span(readers_).subspan(first, end - first);
    if (std::all_of(here.begin(), here.end(), [](const Reader& one) { return one.at_grid || one.next == one.end; }))
      for (Reader& one : here) one.at_grid = false;
    for (std::size_t a = first; a < end;) {
      std::size_t b = a + 1;
      while (b < end && readers_[b].at.sub_group == readers_[a].at.sub_group) ++b;
      std::vector<bool> waits(b - a, false);  // at a meeting of the group
      for (bool more = true; more;) {
        more = false;
        for (std::size_t i = a; i < b; ++i)
          if (!waits[i - a] && !readers_[i].at_grid && readers_[i].next < readers_[i].end) {
            any = true;
            waits[i - a] = advance(readers_[i]);
            more = more || !waits[i - a];
          }
      }
      a = b;
    }
    return any;
  }

  // One item up to and with a meeting of its sub-group or its group; true when it was the group's.
  bool advance(Reader& reader) {
    AccessEvent& at = reader.at;
    while (reader.next < reader.end) {
      at.record = reader.next++;
      at.site = &log_.sites[log_.site[at.record]];
      at.buffer = log_.buffer[at.record];
      at.offset = log_.offset[at.record];
      at.value = log_.value[at.record];
      each_(at);
      if (group_barrier(*at.site)) {
        const std::uint64_t memory = log_.value[at.record];
        ++at.epoch;
        reader.at_grid = together_ && grid_barrier(*at.site);
        at.grid_epoch += grid_barrier(*at.site);
        at.local_epoch += (memory & ordered_local) != 0;
        at.global_epoch += (memory & ordered_global) != 0;
        ++at.phase;
        return true;
      }
      if (at.site->kind == AccessKind::CopyWait) {
        ++at.copy_epoch;
        if (!copies_meet_) continue;
        ++at.phase;
        return true;
      }
      if (meets_sub_group(*at.site)) {
        ++at.sub_epoch;
        return false;
      }
    }
    return false;
  }

  const AccessLog& log_;
  const std::function<void(const AccessEvent&)>& each_;
  bool together_ = false, copies_meet_ = false;
  std::vector<Reader> readers_;
};

}  // namespace

void for_each_access(const LaunchInfo& launch, const AccessLog& log, std::uint64_t size_of_sub_groups,
                     const std::function<void(const AccessEvent&)>& each) {
  LaunchWalk(launch, log, size_of_sub_groups, each).run();
}

}  // namespace twiddle
