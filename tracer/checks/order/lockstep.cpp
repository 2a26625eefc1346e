#include "tracer/checks/order/lockstep.h"

#include "tracer/source/tokens.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace twiddle {
namespace {

constexpr std::size_t max_accesses = std::size_t(1) << 20;  // volatile ones that are looked at

bool exchanges(const AccessSite& site) {
  return site.is_volatile && site.space == Space::Local &&
         (site.kind == AccessKind::Load || site.kind == AccessKind::Store);
}

// Whether a loop's head is in the line of a site.
bool in_head(const TraceInfo& info, const AccessSite& site) {
  const SourceText* source = info.source(site.source);
  if (!source || site.line <= 0) return false;
  for (const Token& token : tokenize(source->text)) {
    if (token.line > site.line) break;
    if (token.line == site.line && (token.text == "while" || token.text == "for")) return true;
  }
  return false;
}

struct Where {
  std::uint64_t sub_group = 0;  // of the launch
  int epoch = 0, sub_epoch = 0;
  auto operator<=>(const Where&) const = default;
};

}  // namespace

std::vector<bool> lockstep_sites(const TraceInfo& info, const AccessLog& log, std::uint64_t group_size,
                                 std::uint64_t sub_group_size) {
  if (std::none_of(log.sites.begin(), log.sites.end(), exchanges)) return {};
  struct Seen {
    Where where;
    std::uint64_t item = 0;
    std::uint32_t site = 0;
    int buffer = -1;
    std::uint64_t offset = 0;
  };
  std::vector<Seen> reads, writes;
  std::vector<bool> waits(log.sites.size());  // reads in the head of a loop, or one element again and again
  for (std::size_t s = 0; s < waits.size(); ++s) waits[s] = exchanges(log.sites[s]) && in_head(info, log.sites[s]);
  const std::uint64_t sub_groups = (group_size + sub_group_size - 1) / sub_group_size;
  for (std::uint64_t i = 0; i < log.items(); ++i) {
    const std::uint64_t item = log.first_item + i;
    Where where{item / group_size * sub_groups + item % group_size / sub_group_size, 0, 0};
    std::uint64_t before = UINT64_MAX;  // the record of the last access
    for (std::uint64_t k = log.begin[i]; k < log.begin[i + 1]; ++k) {
      const AccessSite& site = log.sites[log.site[k]];
      if (site.kind == AccessKind::Barrier || site.kind == AccessKind::Exchange)
        ++(site.kind == AccessKind::Barrier && site.scope >= MemoryScope::Group ? where.epoch : where.sub_epoch);
      if (!touches_memory(site.kind)) continue;
      if (before != UINT64_MAX && log.site[before] == log.site[k] && log.buffer[before] == log.buffer[k] &&
          log.offset[before] == log.offset[k])
        waits[log.site[k]] = true;
      before = k;
      if (!exchanges(site)) continue;
      (is_write(site.kind) ? writes : reads).push_back({where, item, log.site[k], log.buffer[k], log.offset[k]});
      if (reads.size() + writes.size() > max_accesses) return {};
    }
  }
  std::map<std::tuple<Where, int, std::uint64_t>, const Seen*> written;  // the last one
  std::set<std::tuple<Where, std::uint64_t, std::uint32_t>> done;        // by item and site
  for (const Seen& one : writes) {
    written[{one.where, one.buffer, one.offset}] = &one;
    done.emplace(one.where, one.item, one.site);
  }
  for (const Seen& one : reads) done.emplace(one.where, one.item, one.site);
  std::vector<bool> found(log.sites.size(), false);
  bool any = false;
  for (const Seen& read : reads) {
    const auto at = written.find({read.where, read.buffer, read.offset});
    if (at == written.end() || at->second->item == read.item || waits[read.site]) continue;
    const Seen& write = *at->second;
    if (!done.contains({read.where, read.item, write.site}) || !done.contains({read.where, write.item, read.site}))
      continue;
    found[read.site] = found[write.site] = any = true;
  }
  return any ? found : std::vector<bool>();
}

}  // namespace twiddle
