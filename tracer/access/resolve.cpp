#include "base/text.h"
#include "tracer/access/access.h"
#include "tracer/access/texel.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <string_view>

namespace twiddle {
namespace {

// The ranges of one space and owner, by address.
class Places {
 public:
  void add(const AccessRange& range, int buffer) {
    places_.push_back({range.address, range.bytes, buffer, range.name});
  }

  void sort() {
    std::sort(places_.begin(), places_.end(), [](const Place& a, const Place& b) { return a.address < b.address; });
  }

  struct Found {
    int buffer = -1;
    std::uint64_t offset = 0, distance = std::numeric_limits<std::uint64_t>::max();  // bytes outside of it
  };
  /// The place of this name, however far away: an index gone wild is meant for the array that the source names there.
  Found find(std::uint64_t address, std::string_view name) const {
    Found best;
    for (const Place& place : places_)
      if (!name.empty() && place.name == name) {
        if (best.buffer >= 0) return {};  // of several that are called so, none
        best = {place.buffer, address - place.address, 0};
      }
    return best;
  }
  Found find(std::uint64_t address) const {
    // Ranges may be in one another where two arguments are parts of one buffer; the narrowest that holds the address wins.
    Found best;
    std::uint64_t best_bytes = 0;
    for (const Place& place : places_) {
      if (place.address > address && place.address - address > best.distance) break;
      std::uint64_t distance = 0;
      if (address < place.address)
        distance = place.address - address;
      else if (address - place.address >= place.bytes)
        distance = address - place.address - place.bytes + 1;
      const bool narrower = distance == best.distance && place.bytes < best_bytes;
      if (distance > best.distance || (distance == best.distance && !narrower)) continue;
      best = {place.buffer, address - place.address, distance};
      best_bytes = place.bytes;
    }
    return best;
  }

 private:
  struct Place {
    std::uint64_t address, bytes;
    int buffer;
    std::string name;
  };
  std::vector<Place> places_;
};

// "x" of "x[i + 1]" and "*x".
std::string_view first_word(std::string_view text) {
  std::size_t first = 0;
  while (first < text.size() && (text[first] == '*' || text[first] == '(')) ++first;
  std::size_t end = first;
  while (end < text.size() && is_of_name(text[end])) ++end;
  return text.substr(first, end - first);
}

// Local and private memory are the owner's own; the rest is shared by all, and a kernel may reach constant memory through a
// pointer to global memory.
bool owned(Space space) { return space == Space::Local || space == Space::Private; }

}  // namespace

AccessLog resolve(RawAccesses&& raw, std::uint64_t group_size, const std::vector<int>& buffer_of, std::uint64_t slack) {
  assert(buffer_of.size() == raw.ranges.size());
  AccessLog log;
  log.sites = std::move(raw.sites);
  log.first_item = raw.first_item;
  log.begin = std::move(raw.begin);
  log.site = std::move(raw.site);
  log.value = std::move(raw.value);
  log.offset = std::move(raw.address);
  log.lost = raw.lost;
  log.buffer.assign(log.site.size(), -1);

  Places shared;
  std::vector<std::size_t> owners;  // ranges of an owner's own memory, by owner
  Places everyones_local, everyones_private;
  for (std::size_t r = 0; r < raw.ranges.size(); ++r) {
    const AccessRange& range = raw.ranges[r];
    if (!owned(range.space))
      shared.add(range, buffer_of[r]);
    else if (range.owner < 0)
      (range.space == Space::Local ? everyones_local : everyones_private).add(range, buffer_of[r]);
    else
      owners.push_back(r);
  }
  shared.sort();
  everyones_local.sort();
  everyones_private.sort();
  std::stable_sort(owners.begin(), owners.end(),
                   [&](std::size_t a, std::size_t b) { return raw.ranges[a].owner < raw.ranges[b].owner; });
  const auto own = [&](Space space, std::int64_t owner, const Places& everyones) {
    Places places = everyones;
    auto at = std::lower_bound(owners.begin(), owners.end(), owner,
                               [&](std::size_t r, std::int64_t value) { return raw.ranges[r].owner < value; });
    for (; at != owners.end() && raw.ranges[*at].owner == owner; ++at)
      if (raw.ranges[*at].space == space) places.add(raw.ranges[*at], buffer_of[*at]);
    places.sort();
    return places;
  };

  group_size = std::max<std::uint64_t>(group_size, 1);
  std::uint64_t group = std::numeric_limits<std::uint64_t>::max();
  Places local;
  for (std::uint64_t i = 0; i < log.items(); ++i) {
    const std::uint64_t item = log.first_item + i;
    if (item / group_size != group) {
      group = item / group_size;
      local = own(Space::Local, static_cast<std::int64_t>(group), everyones_local);
    }
    Places mine;
    bool mine_known = false;
    for (std::uint64_t k = log.begin[i]; k < log.begin[i + 1]; ++k) {
      const AccessSite& site = log.sites.at(log.site[k]);
      if (!touches_memory(site.kind)) continue;
      if (site.space == Space::Private && !mine_known) {
        mine = own(Space::Private, static_cast<std::int64_t>(item), everyones_private);
        mine_known = true;
      }
      const Places& places = site.space == Space::Local ? local : site.space == Space::Private ? mine : shared;
      Places::Found found = places.find(log.offset[k]);
      if (const auto image = image_of_address(log.offset[k]);
          image && site.space == Space::Global && found.distance > 0)
        if (const Places::Found whole = places.find(*image); whole.buffer >= 0 && whole.distance == 0)
          found = {whole.buffer, log.offset[k] - *image, 0};
      if (found.distance > 0)
        if (const Places::Found named = places.find(log.offset[k], first_word(site.text)); named.buffer >= 0)
          found = named;
      if (found.buffer < 0 || found.distance > slack) continue;
      log.buffer[k] = found.buffer;
      log.offset[k] = found.offset;
    }
  }
  return log;
}

bool AccessTotals::lacks_exchanges() const {
  return std::any_of(unlogged.begin(), unlogged.end(), [](const Unlogged& one) { return one.exchanges; });
}

bool AccessTotals::keep(const AccessLog& log, std::uint64_t max) {
  if (kept + log.size() > max) {
    lost += log.size();
    return false;
  }
  kept += log.size();
  for (std::uint64_t k = 0; k < log.size(); ++k)
    unresolved += touches_memory(log.sites[log.site[k]].kind) && log.buffer[k] < 0;
  return true;
}

}  // namespace twiddle
