#include "tracer/lift/idle_writes.h"

#include <algorithm>
#include <functional>
#include <tuple>
#include <unordered_map>

namespace twiddle {
namespace {

bool reads_local(const AccessSite& site) { return site.space == Space::Local && is_read(site.kind); }

class LocalPlaces {
 public:
  LocalPlaces(const AccessLog& log, std::uint64_t group_items) : log_(log), group_items_(group_items) {}

  /// Calls with each word of 4 bytes that the item's record touches.
  template <typename F>
  void each_word(std::uint64_t item, std::uint64_t record, const F& call) const {
    const std::uint64_t first = log_.offset[record], end = first + log_.sites[log_.site[record]].chunk;
    const std::uint64_t group = group_items_ ? (log_.first_item + item) / group_items_ : 0;
    for (std::uint64_t word = first / 4; 4 * word < end; ++word) call(Word{log_.buffer[record], group, word});
  }

  using Word = std::tuple<std::int32_t, std::uint64_t, std::uint64_t>;  // of which buffer and group
  struct Hash {
    std::size_t operator()(const Word& word) const {
      const auto& [buffer, group, number] = word;
      return std::hash<std::uint64_t>()(static_cast<std::uint64_t>(buffer + 1) << 48 ^ group << 20 ^ number);
    }
  };
  using Epochs = std::unordered_map<Word, int, Hash>;

 private:
  const AccessLog& log_;
  std::uint64_t group_items_;
};

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

// By record: a write that reaches a result. A result is what is written to global memory; what an item read before its last write
// of use is of use, and so is what was written to where that was read from. Empty where none writes a result, so that nothing
// says which are of use.
std::vector<bool> writes_of_use(const AccessLog& log, const LocalPlaces& places, const std::vector<int>& epochs) {
  std::vector<bool> of_use(log.size());
  LocalPlaces::Epochs wanted;        // word of local memory → epoch of its last read that is of use
  std::vector<std::uint64_t> known;  // by item: its reads up to this record are among the wanted ones
  const auto use = [&](std::uint64_t item, std::uint64_t end) {
    for (std::uint64_t k = known[item]; k < end; ++k)
      if (reads_local(log.sites[log.site[k]]))
        places.each_word(item, k, [&](const LocalPlaces::Word& word) {
          int& epoch = wanted.try_emplace(word, -1).first->second;
          epoch = std::max(epoch, epochs[k]);
        });
    known[item] = std::max(known[item], end);
  };
  bool results = false;
  for (std::uint64_t item = 0; item < log.items(); ++item) {
    known.push_back(log.begin[item]);
    for (std::uint64_t k = log.begin[item + 1]; k-- > log.begin[item];) {
      const AccessSite& site = log.sites[log.site[k]];
      if (!is_write(site.kind) || site.space != Space::Global) continue;
      of_use[k] = results = true;
      use(item, k);
    }
  }
  if (!results) return {};
  for (bool more = true; more;) {
    more = false;
    for (std::uint64_t item = 0; item < log.items(); ++item)
      for (std::uint64_t k = log.begin[item]; k < log.begin[item + 1]; ++k) {
        const AccessSite& site = log.sites[log.site[k]];
        if (of_use[k] || site.space != Space::Local || !is_write(site.kind)) continue;
        bool read = false;
        places.each_word(item, k, [&](const LocalPlaces::Word& word) {
          const auto at = wanted.find(word);
          read = read || (at != wanted.end() && at->second >= epochs[k]);
        });
        if (!read) continue;
        of_use[k] = more = true;
        use(item, k);
      }
  }
  return of_use;
}

}  // namespace

IdleWrites idle_writes(const AccessLog& log, const std::vector<std::uint64_t>& writes, std::uint64_t group_items) {
  const std::vector<int> epochs = epochs_of_records(log);
  const LocalPlaces places(log, group_items);
  const std::vector<bool> of_use = writes_of_use(log, places, epochs);
  IdleWrites idle;
  if (of_use.empty()) {
    LocalPlaces::Epochs last_read;  // word of local memory → epoch
    for (std::uint64_t item = 0; item < log.items(); ++item)
      for (std::uint64_t k = log.begin[item]; k < log.begin[item + 1]; ++k)
        if (reads_local(log.sites[log.site[k]]))
          places.each_word(item, k, [&](const LocalPlaces::Word& word) {
            int& epoch = last_read.try_emplace(word, -1).first->second;
            epoch = std::max(epoch, epochs[k]);
          });
    std::uint64_t item = 0;
    for (const std::uint64_t k : writes) {
      if (log.sites[log.site[k]].space != Space::Local) continue;
      while (log.begin[item + 1] <= k) ++item;
      bool read = false;
      places.each_word(item, k, [&](const LocalPlaces::Word& word) {
        const auto at = last_read.find(word);
        read = read || (at != last_read.end() && at->second >= epochs[k]);
      });
      idle.count += !read;
    }
    return idle;
  }
  for (const std::uint64_t k : writes) idle.count += log.sites[log.site[k]].space == Space::Local && !of_use[k];
  idle.items.resize(log.items());
  for (std::uint64_t item = 0; item < log.items(); ++item)
    idle.items[item] =
        std::none_of(of_use.begin() + static_cast<std::ptrdiff_t>(log.begin[item]),
                     of_use.begin() + static_cast<std::ptrdiff_t>(log.begin[item + 1]), [](bool use) { return use; });
  return idle;
}

}  // namespace twiddle
