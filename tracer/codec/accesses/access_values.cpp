#include "tracer/codec/accesses/access_values.h"

#include "base/values/hash.h"
#include "tracer/codec/columns/compress.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <unordered_map>
#include <utility>

namespace twiddle {
namespace {

constexpr std::array<std::size_t, 4> value_widths = {1, 2, 4, 8};
constexpr std::size_t max_sampled = 16;                    // items that are looked at first
constexpr std::size_t max_located = std::size_t(1) << 22;  // values of a group's operations that are looked at
constexpr int max_tried = 4;                               // places that agree in all samples
constexpr std::uint8_t flag_known = 1;                     // operations or states are used
// Where a value is predicted from. In a file; never renumber.
enum class Origin : std::uint8_t { None = 0, Operation, Earlier, Before, After };
constexpr std::uint8_t origin_count = 5, origin_exact = 8, origin_halves = 16;

std::size_t width_index(std::size_t width) { return static_cast<std::size_t>(std::countr_zero(width)); }

std::uint64_t cut_to(std::uint64_t value, std::size_t width) {
  return width == 8 ? value : value & ((std::uint64_t(1) << 8 * width) - 1);
}

// A value of `width` bytes of a record, or one half of it.
struct Lane {
  std::uint32_t record = 0;  // of the item's
  std::uint8_t width = 8;    // 1, 2, 4 or 8
  std::uint8_t shift = 0;    // bytes into the record's value
};

struct Prediction {
  Origin origin = Origin::None;
  bool exact = false;        // for all items of the group
  std::uint32_t number = 0;  // which operation of the item; how many records earlier
  std::uint8_t value = 0;    // which of the operation's
  std::uint8_t byte = 0;     // of the value
};

// Items of one shape whose operations are of the same kinds: what predicts one of them predicts all.
struct ValueGroup {
  const AccessShape* shape = nullptr;
  std::vector<std::uint32_t> items;  // counted in the piece
};

std::vector<ValueGroup> groups_of(std::span<const AccessShape> shapes, std::uint64_t first_item,
                                  const LaunchValues* known) {
  std::vector<ValueGroup> groups;
  for (const AccessShape& shape : shapes) {
    if (!known) {
      groups.push_back({&shape, shape.items});
      continue;
    }
    std::map<std::vector<std::uint32_t>, std::size_t> of_kinds;
    std::vector<std::uint32_t> kinds, last;
    std::size_t last_group = SIZE_MAX;
    for (const std::uint32_t item : shape.items) {
      kinds.clear();
      for (const LaunchValues::Place& place : known->of_item(first_item + item))
        kinds.push_back(static_cast<std::uint32_t>(place.columns->shape) |
                        static_cast<std::uint32_t>(place.columns->value_type) << 8 |
                        static_cast<std::uint32_t>(place.columns->coefficient_type) << 16 |
                        (place.columns->reads.empty() && place.columns->writes.empty() ? 1U << 24 : 0U));
      if (last_group == SIZE_MAX || kinds != last) {
        const auto [at, fresh] = of_kinds.emplace(kinds, groups.size());
        if (fresh) groups.push_back({&shape, {}});
        last_group = at->second;
        last = kinds;
      }
      groups[last_group].items.push_back(item);
    }
  }
  return groups;
}

// What both sides know of a piece.
class PieceValues {
 public:
  PieceValues(const AccessLog& log, std::span<const std::uint64_t> begin, std::uint64_t first_item,
              const LaunchValues* known)
      : log_(log), begin_(begin), first_item_(first_item), known_(known) {}

  std::uint64_t record(std::uint32_t item, const Lane& lane) const { return begin_[item] + lane.record; }
  std::uint64_t actual(std::uint32_t item, const Lane& lane) const {
    return cut_to(log_.value[record(item, lane)] >> (8 * lane.shift), lane.width);
  }
  std::uint64_t predicted(std::uint32_t item, const Lane& lane, const Prediction& from) const {
    switch (from.origin) {
      case Origin::None: return 0;
      case Origin::Operation: {
        std::uint64_t bits = 0;
        std::memcpy(&bits, operation(item, from.number).value(from.value) + from.byte, lane.width);
        return bits;
      }
      case Origin::Earlier: return cut_to(log_.value[record(item, lane) - from.number] >> (8 * from.byte), lane.width);
      case Origin::Before: return in_state(known_->before, item, lane);
      case Origin::After: return in_state(known_->after, item, lane);
    }
    return 0;
  }
  LaunchValues::Place operation(std::uint32_t item, std::uint32_t number) const {
    return known_->of_item(first_item_ + item)[number];
  }
  std::size_t operations(std::uint32_t item) const { return known_ ? known_->of_item(first_item_ + item).size() : 0; }
  // Whether all items of a group have what is wanted of them: untrusted.
  bool possible(const ValueGroup& group, const Lane& lane, const Prediction& from) const {
    switch (from.origin) {
      case Origin::None: return true;
      case Origin::Operation: {
        if (from.number >= operations(group.items[0])) return false;
        const LaunchValues::Place place = operation(group.items[0], from.number);
        return from.value < place.values() && from.byte + lane.width <= traits(place.type(from.value)).bytes;
      }
      case Origin::Earlier: return from.number >= 1 && from.number <= lane.record && from.byte + lane.width <= 8;
      case Origin::Before:
      case Origin::After: return known_ != nullptr;
    }
    return false;
  }

 private:
  std::uint64_t in_state(const State& state, std::uint32_t item, const Lane& lane) const {
    const std::uint64_t at = record(item, lane);
    std::uint64_t bits = 0;
    const std::uint64_t offset = log_.offset[at] + lane.shift;
    if (offset < lane.shift || !state.read_bytes(log_.buffer[at], known_->group_of(first_item_ + item), offset,
                                                 std::as_writable_bytes(std::span(&bits, 1)).first(lane.width)))
      return 0;
    return bits;
  }

  const AccessLog& log_;
  std::span<const std::uint64_t> begin_;
  std::uint64_t first_item_;
  const LaunchValues* known_;
};

// ---- writing ----

// Looks for what the values of a group's records are.
class GroupSearch {
 public:
  GroupSearch(const PieceValues& piece, const ValueGroup& group, bool states, std::span<const AccessSite> sites)
      : piece_(piece), group_(group), states_(states), sites_(sites) {
    const std::size_t count = std::min(max_sampled, group.items.size());
    for (std::size_t s = 0; s < count; ++s) samples_.push_back(group.items[s * group.items.size() / count]);
    find_locations();
  }

  // The best prediction of a lane, and how many items differ from it.
  std::pair<Prediction, std::size_t> best(const Lane& lane) {
    const std::uint64_t hash = hash_of([&](std::uint32_t item) { return piece_.actual(item, lane); }, lane.width);
    std::pair<Prediction, std::size_t> best{{}, group_.items.size()};
    std::uint32_t located = none;
    const auto attempt = [&](const Prediction& from, std::uint32_t location) {
      const std::size_t differing = differing_items(lane, from, best.second);
      if (differing >= best.second) return;
      best = {from, differing};
      located = location;
    };
    if (alike(lane, {}) == samples_.size()) attempt({}, none);  // zero
    const std::uint32_t next = following(lane.width);
    if (best.second > 0 && next != none && locations_[next].hash == hash) attempt(at(next), next);
    int tried = 0;
    const auto found = head_.find(hash);
    for (std::uint32_t l = found == head_.end() ? none : found->second; l != none && best.second > 0; l = chain_[l])
      if (locations_[l].width == lane.width && l != next) {
        if (++tried > max_tried) break;
        attempt(at(l), l);
      }
    const AccessSite& site = sites_[group_.shape->sites[lane.record]];
    const bool memory = touches_memory(site.kind);
    if (best.second > 0)
      if (const auto earlier = earlier_.find(hash); earlier != earlier_.end())
        attempt({Origin::Earlier, false, lane.record - earlier->second.first, 0, earlier->second.second}, none);
    if (memory && states_) {
      const bool writes = is_write(site.kind);
      for (const Origin origin : {writes ? Origin::After : Origin::Before, writes ? Origin::Before : Origin::After})
        if (const Prediction from{origin, false, 0, 0, 0}; best.second > 0 && 4 * alike(lane, from) > samples_.size())
          attempt(from, none);
    }
    // What is seldom right costs more than the value.
    if (best.first.origin != Origin::None && 4 * best.second > 3 * group_.items.size())
      best = {{}, group_.items.size()}, located = none;
    best.first.exact = best.second == 0;
    if (located != none) last_ = located;
    return best;
  }
  // The lane's value may be that of a later one.
  void pass(const Lane& lane) {
    const std::uint64_t hash = hash_of([&](std::uint32_t item) { return piece_.actual(item, lane); }, lane.width);
    earlier_[hash] = {lane.record, lane.shift};
  }
  std::uint32_t last() const { return last_; }
  void back_to(std::uint32_t location) { last_ = location; }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;
  struct Location {
    std::uint64_t hash;
    std::uint32_t number;
    std::uint8_t value, byte, width;
  };

  template <typename Bits>
  std::uint64_t hash_of(const Bits& bits, std::size_t width) const {
    std::uint64_t hash = width;
    for (const std::uint32_t item : samples_) hash = mixed(hash, bits(item));
    return hash;
  }

  void find_locations() {
    std::uint32_t wanted = 0;  // widths, as bits
    for (const std::uint32_t site : group_.shape->sites) {
      const auto width = static_cast<std::uint32_t>(value_width(sites_[site]));
      wanted |= width | width / 2;
    }
    const std::size_t operations = piece_.operations(group_.items[0]);
    for (std::uint32_t n = 0; n < operations && locations_.size() < max_located; ++n) {
      const LaunchValues::Place place = piece_.operation(group_.items[0], n);
      for (std::uint32_t v = 0; v < place.values() && v < 256; ++v) {
        const std::size_t bytes = traits(place.type(v)).bytes, component = component_bytes_of(place.type(v));
        for (const std::size_t width : {std::size_t(8), std::size_t(4), std::size_t(2), std::size_t(1)}) {
          if (!(wanted & width) || width > bytes || width < component) continue;
          for (std::size_t b = 0; b + width <= bytes; b += width) {
            const Prediction from{Origin::Operation, false, n, static_cast<std::uint8_t>(v),
                                  static_cast<std::uint8_t>(b)};
            Lane lane;
            lane.width = static_cast<std::uint8_t>(width);
            const std::uint64_t hash =
                hash_of([&](std::uint32_t item) { return piece_.predicted(item, lane, from); }, width);
            locations_.push_back({hash, n, from.value, from.byte, lane.width});
          }
        }
      }
    }
    next_.resize(locations_.size() + 1, {none, none, none, none});
    for (auto l = static_cast<std::uint32_t>(locations_.size()); l-- > 0;) {
      next_[l] = next_[l + 1];
      next_[l][width_index(locations_[l].width)] = l;
    }
    chain_.assign(locations_.size(), none);
    head_.reserve(locations_.size());
    for (auto l = static_cast<std::uint32_t>(locations_.size()); l-- > 0;) {
      const auto [at, fresh] = head_.emplace(locations_[l].hash, l);
      if (!fresh) chain_[l] = std::exchange(at->second, l);
    }
  }
  Prediction at(std::uint32_t location) const {
    const Location& one = locations_[location];
    return {Origin::Operation, false, one.number, one.value, one.byte};
  }
  // The location of this width behind the one that was used last.
  std::uint32_t following(std::size_t width) const { return next_[last_ == none ? 0 : last_ + 1][width_index(width)]; }
  // In how many samples it is right.
  std::size_t alike(const Lane& lane, const Prediction& from) const {
    return static_cast<std::size_t>(std::count_if(samples_.begin(), samples_.end(), [&](std::uint32_t item) {
      return piece_.actual(item, lane) == piece_.predicted(item, lane, from);
    }));
  }
  std::size_t differing_items(const Lane& lane, const Prediction& from, std::size_t enough) const {
    std::size_t differing = 0;
    for (const std::uint32_t item : group_.items) {
      differing += piece_.actual(item, lane) != piece_.predicted(item, lane, from);
      if (differing >= enough) break;
    }
    return differing;
  }

  const PieceValues& piece_;
  const ValueGroup& group_;
  bool states_;
  std::span<const AccessSite> sites_;
  std::vector<std::uint32_t> samples_;
  std::vector<Location> locations_;                        // in the order of operations
  std::vector<std::array<std::uint32_t, 4>> next_;         // from each on, of 1, 2, 4, 8 bytes
  std::unordered_map<std::uint64_t, std::uint32_t> head_;  // the first location of a hash
  std::vector<std::uint32_t> chain_;                       // the next one of the same
  std::unordered_map<std::uint64_t, std::pair<std::uint32_t, std::uint8_t>> earlier_;  // record, byte
  std::uint32_t last_ = none;
};

// Predictions of all records as columns.
struct PredictionColumns {
  std::vector<std::byte> origins, bytes;  // bytes: of operations the value and the byte, of earlier records the byte
  std::vector<std::uint32_t> numbers;     // operations as differences from the one before

  void put(const Prediction& one, std::uint32_t& operation) {
    origins.push_back(static_cast<std::byte>(static_cast<std::uint8_t>(one.origin) | (one.exact ? origin_exact : 0)));
    if (one.origin == Origin::Operation) {
      numbers.push_back(fold(one.number - std::exchange(operation, one.number)));
      bytes.push_back(static_cast<std::byte>(one.value));
      bytes.push_back(static_cast<std::byte>(one.byte));
    } else if (one.origin == Origin::Earlier) {
      numbers.push_back(one.number);
      bytes.push_back(static_cast<std::byte>(one.byte));
    }
  }
};

using Pools = std::array<std::vector<std::byte>, value_widths.size()>;

template <typename Word>
std::uint64_t folded_difference(std::uint64_t actual, std::uint64_t predicted) {
  return fold(static_cast<Word>(static_cast<Word>(actual) - static_cast<Word>(predicted)));
}
template <typename Word>
std::uint64_t undone_difference(std::uint64_t folded, std::uint64_t predicted) {
  return static_cast<Word>(unfold(static_cast<Word>(folded)) + static_cast<Word>(predicted));
}
std::uint64_t folded_difference(std::size_t width, std::uint64_t actual, std::uint64_t predicted) {
  switch (width) {
    case 1: return folded_difference<std::uint8_t>(actual, predicted);
    case 2: return folded_difference<std::uint16_t>(actual, predicted);
    case 4: return folded_difference<std::uint32_t>(actual, predicted);
    default: return folded_difference<std::uint64_t>(actual, predicted);
  }
}
std::uint64_t undone_difference(std::size_t width, std::uint64_t folded, std::uint64_t predicted) {
  switch (width) {
    case 1: return undone_difference<std::uint8_t>(folded, predicted);
    case 2: return undone_difference<std::uint16_t>(folded, predicted);
    case 4: return undone_difference<std::uint32_t>(folded, predicted);
    default: return undone_difference<std::uint64_t>(folded, predicted);
  }
}

std::array<Lane, 2> halves_of(const Lane& lane) {
  const auto half = static_cast<std::uint8_t>(lane.width / 2);
  return {Lane{lane.record, half, 0}, Lane{lane.record, half, half}};
}

void put_values(Pools& pools, const PieceValues& piece, const ValueGroup& group, const Lane& lane,
                const Prediction& from) {
  if (from.exact) return;
  std::vector<std::byte>& pool = pools[width_index(lane.width)];
  for (const std::uint32_t item : group.items) {
    std::uint64_t bits = piece.actual(item, lane);
    if (from.origin != Origin::None) bits = folded_difference(lane.width, bits, piece.predicted(item, lane, from));
    const auto bytes = std::as_bytes(std::span(&bits, 1)).first(lane.width);
    pool.insert(pool.end(), bytes.begin(), bytes.end());
  }
}

bool uses_known(const std::vector<std::byte>& origins) {
  return std::any_of(origins.begin(), origins.end(), [](std::byte one) {
    const auto origin = static_cast<Origin>(static_cast<std::uint8_t>(one) & 7);
    return origin == Origin::Operation || origin == Origin::Before || origin == Origin::After;
  });
}

// ---- reading ----

class PredictionReader {
 public:
  PredictionReader(ByteReader& in, std::uint64_t records) {
    const auto origins = in.string(), numbers = in.string(), bytes = in.string();
    origins_.resize(decompressed_size(origins, 3 * records));
    decompress(origins, 1, origins_);
    const std::uint64_t size = decompressed_size(numbers, 2 * records * sizeof(std::uint32_t));
    if (size % sizeof(std::uint32_t) != 0) throw unreadable("accesses of the trace are predicted by nothing");
    numbers_.resize(size / sizeof(std::uint32_t));
    decompress(numbers, sizeof(std::uint32_t), std::as_writable_bytes(std::span(numbers_)));
    bytes_.resize(decompressed_size(bytes, 4 * records));
    decompress(bytes, 1, bytes_);
  }
  bool known() const { return uses_known(origins_); }
  bool halves() {
    const bool two = (peek() & origin_halves) != 0;
    if (two) next(origins_, origin_);
    return two;
  }
  Prediction take(std::uint32_t& operation) {
    const auto bits = static_cast<std::uint8_t>(next(origins_, origin_));
    if ((bits & ~origin_exact) >= origin_count) throw unreadable("accesses of the trace are predicted by nothing");
    Prediction one;
    one.origin = static_cast<Origin>(bits & ~origin_exact);
    one.exact = (bits & origin_exact) != 0;
    if (one.origin == Origin::Operation) {
      one.number = operation += unfold(next(numbers_, number_));
      one.value = static_cast<std::uint8_t>(next(bytes_, byte_));
      one.byte = static_cast<std::uint8_t>(next(bytes_, byte_));
    } else if (one.origin == Origin::Earlier) {
      one.number = next(numbers_, number_);
      one.byte = static_cast<std::uint8_t>(next(bytes_, byte_));
    }
    return one;
  }
  void at_end() const {
    if (origin_ != origins_.size() || number_ != numbers_.size() || byte_ != bytes_.size())
      throw unreadable("the trace has more accesses than it says");
  }

 private:
  std::uint8_t peek() const { return origin_ < origins_.size() ? static_cast<std::uint8_t>(origins_[origin_]) : 0; }
  template <typename T>
  static T next(const std::vector<T>& column, std::size_t& at) {
    if (at >= column.size()) throw unreadable("the trace has fewer accesses than it says");
    return column[at++];
  }

  std::vector<std::byte> origins_, bytes_;
  std::vector<std::uint32_t> numbers_;
  std::size_t origin_ = 0, byte_ = 0, number_ = 0;
};

}  // namespace

std::size_t value_width(const AccessSite& site) {
  if (!touches_memory(site.kind)) return 8;
  return site.chunk <= 1 ? 1 : site.chunk == 2 ? 2 : site.chunk <= 4 ? 4 : 8;
}

void write_access_values(ByteWriter& out, const AccessLog& log, std::span<const std::uint64_t> begin,
                         std::uint64_t first_item, std::span<const AccessShape> shapes,
                         std::span<const AccessSite> sites, const LaunchValues* known) {
  const PieceValues piece(log, begin, first_item, known);
  const auto encode = [&](const std::vector<ValueGroup>& groups, PredictionColumns& columns, Pools& pools) {
    for (const ValueGroup& group : groups) {
      if (group.shape->sites.empty()) continue;
      GroupSearch search(piece, group, known != nullptr, sites);
      std::uint32_t operation = 0;
      for (std::uint32_t k = 0; k < group.shape->sites.size(); ++k) {
        Lane whole;
        whole.record = k;
        whole.width = static_cast<std::uint8_t>(value_width(sites[group.shape->sites[k]]));
        const std::uint32_t before = search.last();
        const auto [one, differing] = search.best(whole);
        const std::array<Lane, 2> halves = halves_of(whole);
        std::array<Prediction, 2> of_halves;
        bool split = differing > 0 && whole.width > 1 && touches_memory(sites[group.shape->sites[k]].kind);
        if (split) {
          const std::uint32_t after = search.last();
          search.back_to(before);
          std::size_t worst = 0;
          for (std::size_t h = 0; h < 2; ++h) {
            const auto [half, not_right] = search.best(halves[h]);
            of_halves[h] = half;
            worst = std::max(worst, not_right);
          }
          split = worst < differing;
          if (!split) search.back_to(after);
        }
        if (split) {
          columns.origins.push_back(static_cast<std::byte>(origin_halves));
          for (std::size_t h = 0; h < 2; ++h) {
            columns.put(of_halves[h], operation);
            put_values(pools, piece, group, halves[h], of_halves[h]);
          }
        } else {
          columns.put(one, operation);
          put_values(pools, piece, group, whole, one);
        }
        search.pass(whole);
        if (whole.width > 1)
          for (const Lane& half : halves) search.pass(half);
      }
    }
  };
  PredictionColumns columns;
  Pools pools;
  encode(groups_of(shapes, first_item, known), columns, pools);
  const bool uses = uses_known(columns.origins);
  if (known && !uses) {  // the reader then need not know it
    write_access_values(out, log, begin, first_item, shapes, sites, nullptr);
    return;
  }
  out.byte(uses ? flag_known : 0);
  out.string(compress(columns.origins, 1));
  out.string(compress(std::as_bytes(std::span(columns.numbers)), sizeof(std::uint32_t)));
  out.string(compress(columns.bytes, 1));
  for (std::size_t w = 0; w < value_widths.size(); ++w) {
    out.number(pools[w].size() / value_widths[w]);
    out.string(compress(pools[w], value_widths[w]));
  }
}

void read_access_values(ByteReader& in, AccessLog& log, std::span<const AccessShape> shapes,
                        std::span<const AccessSite> sites, const FindLaunchValues& find) {
  const std::uint8_t flags = in.byte();
  if (flags & ~flag_known) throw unreadable("accesses of the trace have an unknown format");
  PredictionReader predictions(in, log.size());
  Pools pools;
  for (std::size_t w = 0; w < value_widths.size(); ++w) {
    pools[w].resize(in.number_up_to(2 * log.size()) * value_widths[w]);
    decompress(in.string(), value_widths[w], pools[w]);
  }
  if (!in.at_end()) throw unreadable("accesses of the trace have more in them than they should");
  if (predictions.known() && !(flags & flag_known)) throw unreadable("accesses of the trace are predicted by nothing");
  const std::shared_ptr<const LaunchValues> known = flags & flag_known ? find() : nullptr;
  if (known && !known->covers(log.first_item, log.items()))
    throw unreadable("accesses of the trace are of items that their launch lacks");
  const PieceValues piece(log, log.begin, log.first_item, known.get());
  std::array<std::size_t, value_widths.size()> taken{};
  const auto read_lane = [&](const ValueGroup& group, const Lane& lane, const Prediction& from) {
    if (!piece.possible(group, lane, from)) throw unreadable("accesses of the trace are predicted by nothing");
    std::size_t& at = taken[width_index(lane.width)];
    const std::vector<std::byte>& pool = pools[width_index(lane.width)];
    if (!from.exact && group.items.size() > (pool.size() - at) / lane.width)
      throw unreadable("the trace has fewer values of accesses than it says");
    for (const std::uint32_t item : group.items) {
      std::uint64_t bits = piece.predicted(item, lane, from);
      if (!from.exact) {
        std::uint64_t stored = 0;
        std::memcpy(&stored, pool.data() + at, lane.width);
        at += lane.width;
        bits = from.origin == Origin::None ? stored : undone_difference(lane.width, stored, bits);
      }
      log.value[piece.record(item, lane)] |= bits << (8 * lane.shift);
    }
  };
  for (const ValueGroup& group : groups_of(shapes, log.first_item, known.get())) {
    if (group.shape->sites.empty()) continue;
    std::uint32_t operation = 0;
    for (std::uint32_t k = 0; k < group.shape->sites.size(); ++k) {
      Lane whole;
      whole.record = k;
      whole.width = static_cast<std::uint8_t>(value_width(sites[group.shape->sites[k]]));
      if (!predictions.halves()) {
        read_lane(group, whole, predictions.take(operation));
        continue;
      }
      if (whole.width == 1) throw unreadable("accesses of the trace have an unknown format");
      for (const Lane& half : halves_of(whole)) read_lane(group, half, predictions.take(operation));
    }
  }
  predictions.at_end();
  for (std::size_t w = 0; w < value_widths.size(); ++w)
    if (taken[w] != pools[w].size()) throw unreadable("the trace has more values of accesses than it says");
}

}  // namespace twiddle
