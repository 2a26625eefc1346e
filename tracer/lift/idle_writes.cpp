#include "tracer/lift/idle_writes.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace twiddle {
namespace {

bool reads_local(const AccessSite& site) { return site.space == Space::Local && is_read(site.kind); }

class LocalPlaces {
 public:
  explicit LocalPlaces(const AccessLog& log) : log_(log) {}

  std::uint64_t place(std::uint64_t record) const {
    return static_cast<std::uint64_t>(log_.buffer[record] + 1) << 40 ^ log_.offset[record];
  }
  /// Calls with each of its words of 4 bytes.
  template <typename F>
  void each_word(std::uint64_t record, const F& call) const {
    const std::uint64_t first = log_.offset[record], end = first + log_.sites[log_.site[record]].chunk;
    for (std::uint64_t word = first / 4; 4 * word < end; ++word)
      call(static_cast<std::uint64_t>(log_.buffer[record] + 1) << 40 ^ word);
  }

 private:
  const AccessLog& log_;
};

// By item; empty where none writes a result, so that nothing says which are of use.
std::vector<bool> items_of_use(const AccessLog& log) {
  const LocalPlaces places(log);
  std::vector<bool> of_use(log.items());
  std::unordered_set<std::uint64_t> wanted;
  const auto use = [&](std::uint64_t item) {
    of_use[item] = true;
    for (std::uint64_t k = log.begin[item]; k < log.begin[item + 1]; ++k)
      if (reads_local(log.sites[log.site[k]])) wanted.insert(places.place(k));
  };
  std::vector<std::uint64_t> open;
  for (std::uint64_t item = 0; item < log.items(); ++item) {
    bool writes = false;
    for (std::uint64_t k = log.begin[item]; k < log.begin[item + 1] && !writes; ++k)
      writes = is_write(log.sites[log.site[k]].kind) && log.sites[log.site[k]].space == Space::Global;
    if (writes)
      use(item);
    else
      open.push_back(item);
  }
  if (open.size() == log.items()) return {};
  for (bool more = true; more;) {
    more = std::erase_if(open, [&](std::uint64_t item) {
             for (std::uint64_t k = log.begin[item]; k < log.begin[item + 1]; ++k)
               if (const AccessSite& site = log.sites[log.site[k]];
                   site.space == Space::Local && is_write(site.kind) && wanted.contains(places.place(k))) {
                 use(item);
                 return true;
               }
             return false;
           }) > 0;
  }
  return of_use;
}

std::vector<int> epochs_of_records(const AccessLog& log) {
  std::vector<int> epochs(log.size());
  for (std::uint64_t item = 0; item < log.items(); ++item) {
    int epoch = 0;
    for (std::uint64_t k = log.begin[item]; k < log.begin[item + 1]; ++k) {
      const AccessSite& site = log.sites[log.site[k]];
      epoch +=
          site.kind == AccessKind::Barrier && site.scope >= MemoryScope::Group;  // others order nothing between items
      epochs[k] = epoch;
    }
  }
  return epochs;
}

}  // namespace

IdleWrites idle_writes(const AccessLog& log, const std::vector<std::uint64_t>& writes) {
  const LocalPlaces places(log);
  const std::vector<int> epochs = epochs_of_records(log);
  std::unordered_map<std::uint64_t, int> last_read;  // word of local memory → epoch
  for (std::uint64_t k = 0; k < log.size(); ++k)
    if (reads_local(log.sites[log.site[k]]))
      places.each_word(k, [&](std::uint64_t word) {
        int& epoch = last_read.try_emplace(word, -1).first->second;
        epoch = std::max(epoch, epochs[k]);
      });
  const auto unread = [&](std::uint64_t k) {
    if (log.sites[log.site[k]].space != Space::Local) return false;
    bool read = false;
    places.each_word(k, [&](std::uint64_t word) {
      const auto at = last_read.find(word);
      read = read || (at != last_read.end() && at->second >= epochs[k]);
    });
    return !read;
  };
  IdleWrites idle;
  std::vector<bool> of_use = items_of_use(log);
  std::size_t item = 0;
  for (const std::uint64_t k : writes) {
    while (log.begin[item + 1] <= k) ++item;
    idle.count += (!of_use.empty() && !of_use[item]) || unread(k);
  }
  of_use.flip();
  idle.items = std::move(of_use);
  return idle;
}

}  // namespace twiddle
