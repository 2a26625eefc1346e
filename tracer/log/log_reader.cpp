#include "tracer/log/log_reader.h"

#include "tracer/trace/trace_macros.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>

namespace twiddle {
namespace {

constexpr int barriers_last = std::numeric_limits<int>::max();  // as a stage: after an epoch's work
constexpr std::size_t max_sites_in_block = 255;
constexpr std::uint32_t tile = 16;  // lanes of a cache line

// Of what type the values of a site are that a header says to be `logged`: the type of its elements. Whole numbers of fewer
// than 32 bits are in the log as wide as an int, as C computes with them. Nothing: as wide as neither.
std::optional<ElementType> type_of_values(const SiteOfLaunch& site, ElementType logged) {
  const bool whole = logged == ElementType::Int || logged == ElementType::UInt;
  std::optional<ElementType> narrow;
  bool wide = false;
  for (const std::optional<ElementType>& element : site.element) {
    if (!element) continue;
    const ElementTraits& make = traits(*element);
    if (make.bytes == traits(logged).bytes)
      wide = true;
    else if (whole && make.bytes < sizeof(std::uint32_t) && make.components == 1 && !make.floating &&
             narrow.value_or(*element) == *element)
      narrow = element;
    else
      return std::nullopt;
  }
  if (narrow && wide) return std::nullopt;
  return narrow.value_or(logged);
}

const std::uint32_t* header_column(const LogWindow& window, std::uint32_t slot) {
  return window.words.data() + window.layout.header(slot);
}

}  // namespace

LogCounts count_window(const LogWindow& window) {
  LogCounts counts;
  const std::uint32_t* attempts = window.words.data() + window.layout.attempts();
  std::vector<std::uint32_t> filled(window.items);
  for (std::uint32_t slot = 0; slot < window.layout.slots; ++slot) {
    const std::uint32_t* header = header_column(window, slot);
    bool any = false;
    for (std::size_t lane = 0; lane < window.items; ++lane) {
      const bool here = header[lane] != 0;
      filled[lane] += here;
      any |= here;
    }
    if (any) counts.used_slots = slot + 1;
  }
  for (std::size_t lane = 0; lane < window.items; ++lane) {
    const std::uint32_t needed = std::max(attempts[lane], filled[lane]);
    counts.attempted += needed;
    counts.without_room += needed - filled[lane];
    counts.max_slots = std::max(counts.max_slots, needed);
    // An attempt without room below the budget was one that the slot was too narrow for.
    if (attempts[lane] != 0 && attempts[lane] <= window.layout.slots) counts.slots_too_narrow = true;
  }
  return counts;
}

std::uint32_t used_words(const LogWindow& window, std::uint32_t slot, Detail detail) {
  const std::uint32_t* header = header_column(window, slot);
  std::uint32_t most = 0, previous = 0;
  for (std::size_t lane = 0; lane < window.items; ++lane) {
    if (header[lane] == previous) continue;
    previous = header[lane];
    if (const std::optional<LogHeader> parsed = parse_header(previous))
      most = std::max(most, slot_words(parsed->shape, parsed->value_type, parsed->coefficient_type, detail));
  }
  return std::min(most, window.layout.words);
}

LogReader::LogReader(std::vector<SiteOfLaunch> sites, int own_stage, Detail detail, PairOf pair_of)
    : sites_(std::move(sites)), own_stage_(own_stage), detail_(detail), pair_of_(std::move(pair_of)) {}

// The site with pairs in place of its buffers of real numbers; null where one of its buffers is neither such nor of complex values.
const SiteOfLaunch* LogReader::with_pairs(const SiteOfLaunch& site, ElementType logged) {
  const bool wide = logged == ElementType::Double2;
  if (!pair_of_ || (!wide && logged != ElementType::Float2)) return nullptr;
  SiteOfLaunch paired = site;
  for (std::size_t n = 0; n < 2; ++n) {
    if (!site.element[n] || *site.element[n] == logged) continue;
    if (*site.element[n] != (wide ? ElementType::Double : ElementType::Float) || site.registers[n] > 0) return nullptr;
    paired.buffers[n] = pair_of_(site.buffers[n]);
    if (paired.buffers[n] < 0) return nullptr;
    paired.element[n] = logged;
  }
  paired_.push_back(paired);
  return &paired_.back();
}

const SiteOfLaunch* LogReader::find_site(const LogWindow& window, std::uint32_t header) {
  const std::uint32_t key = without_stage(header);
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  const SiteOfLaunch* site = nullptr;
  const std::optional<LogHeader> parsed = parse_header(header);
  const bool fits =
      parsed && slot_words(parsed->shape, parsed->value_type, parsed->coefficient_type, detail_) <= window.layout.words;
  if (fits)
    for (const SiteOfLaunch& one : sites_)
      if (one.shape == parsed->shape && one.first_line <= parsed->line && parsed->line <= one.last_line) {
        if (type_of_values(one, parsed->value_type))
          site = &one;
        else if (const SiteOfLaunch* paired = with_pairs(one, parsed->value_type))
          site = paired;
        else if (detail_ == Detail::Index)
          site = &one;
        break;
      }
  // A hostile kernel may write anything into its log: what is remembered of it stays bounded.
  if (known_.size() < 65536) known_.emplace(key, site);
  return site;
}

std::uint64_t LogReader::read(const LogWindow& window, const Emit& emit) {
  std::uint32_t used_slots = window.layout.slots;
  const auto empty = [&](std::uint32_t slot) {
    const std::uint32_t* header = header_column(window, slot);
    return std::all_of(header, header + window.items, [](std::uint32_t word) { return word == 0; });
  };
  while (used_slots > 0 && empty(used_slots - 1)) --used_slots;

  Buckets buckets;
  if (!read_rows(window, used_slots, buckets)) {
    buckets.clear();
    read_lanes(window, used_slots, buckets);
  }
  std::uint64_t count = 0;
  for (auto& [key, bucket] : buckets) {
    count += emit_bucket(window, key, bucket, emit);
    bucket = {};
  }
  return count;
}

// The fast way: in every slot all items did the same thing, so slots are told apart once, not item by item.
bool LogReader::read_rows(const LogWindow& window, std::uint32_t used_slots, Buckets& buckets) {
  int epoch = 0;
  for (std::uint32_t slot = 0; slot < used_slots; ++slot) {
    const std::uint32_t* header = header_column(window, slot);
    if (!std::all_of(header, header + window.items, [first = header[0]](std::uint32_t word) { return word == first; }))
      return false;
    if (header[0] == 0) continue;
    if (!find_site(window, header[0])) return false;
    const int stage = stage_of(header[0]) ? stage_of(header[0]) : own_stage_;
    buckets[{epoch, is_barrier(header[0]) ? barriers_last : stage}].rows.push_back(slot);
    if (is_barrier(header[0])) ++epoch;
  }
  return true;
}

// The general way: an item at a time, counting the barriers it passed.
void LogReader::read_lanes(const LogWindow& window, std::uint32_t used_slots, Buckets& buckets) {
  Key last_key{-1, -1};
  Bucket* bucket = nullptr;
  for (std::uint32_t from = 0; from < window.items; from += tile) {
    const auto to = static_cast<std::uint32_t>(std::min<std::uint64_t>(from + tile, window.items));
    for (std::uint32_t lane = from; lane < to; ++lane) {
      int epoch = 0;
      for (std::uint32_t slot = 0; slot < used_slots; ++slot) {
        const std::uint32_t header = header_column(window, slot)[lane];
        if (header == 0) continue;
        if (!find_site(window, header)) {
          ++unknown_;
          if (unknown_lines_.size() < 64) ++unknown_lines_[static_cast<int>(header >> 17)];
          continue;
        }
        const int stage = is_barrier(header) ? barriers_last : stage_of(header) ? stage_of(header) : own_stage_;
        if (const Key key{epoch, stage}; key != last_key) {
          bucket = &buckets[key];
          last_key = key;
        }
        bucket->entries.push_back({lane, slot});
        if (is_barrier(header)) ++epoch;
      }
    }
  }
}

std::uint64_t LogReader::emit_bucket(const LogWindow& window, const Key& key, const Bucket& bucket, const Emit& emit) {
  const int epoch = key.first, stage_key = key.second;  // no structured binding: Clang 14 lambdas cannot hold one
  const bool barriers = stage_key == barriers_last;
  const int stage = barriers ? own_stage_ : stage_key;
  std::uint64_t count = 0;
  std::vector<Entry> some;
  const auto emit_some = [&](const std::vector<Entry>& entries) {
    std::size_t taken = 0;
    while (taken < entries.size()) emit(epoch, stage, make_block(window, entries, taken, barriers));
    count += entries.size();
  };
  if (bucket.rows.empty()) {
    emit_some(bucket.entries);
    return count;
  }
  // Whole slots: a block's worth of items at a time.
  const std::size_t lanes = std::max<std::size_t>(block_capacity / bucket.rows.size(), 1);
  for (std::size_t from = 0; from < window.items; from += lanes) {
    const std::size_t to = std::min<std::size_t>(from + lanes, window.items);
    some.clear();
    some.reserve((to - from) * bucket.rows.size());
    for (std::size_t lane = from; lane < to; ++lane)
      for (std::uint32_t slot : bucket.rows) some.push_back({static_cast<std::uint32_t>(lane), slot});
    emit_some(some);
  }
  return count;
}

// The next block of `entries` from `taken` on, which is moved past it.
OperationBlock LogReader::make_block(const LogWindow& window, const std::vector<Entry>& entries, std::size_t& taken,
                                     bool barriers) {
  OperationBlock block;
  block.barriers = barriers;
  std::vector<std::uint32_t> keys;       // of block.sites
  std::vector<std::vector<Entry>> rows;  // entries of each site
  const std::size_t end = std::min(entries.size(), taken + block_capacity);
  block.item.reserve(end - taken);
  block.slot.reserve(end - taken);
  block.site.reserve(end - taken);
  block.rank.reserve(end - taken);
  std::uint32_t last_key = 0;
  std::size_t at = 0;
  std::size_t i = taken;
  for (; i < end; ++i) {
    const Entry entry = entries[i];
    const std::uint32_t key = without_stage(header_column(window, entry.slot)[entry.lane]);
    if (key != last_key) {
      at = static_cast<std::size_t>(std::find(keys.begin(), keys.end(), key) - keys.begin());
      if (at == keys.size()) {
        if (keys.size() == max_sites_in_block) break;
        const SiteOfLaunch& site = *find_site(window, key);
        const LogHeader header = *parse_header(key);
        SiteColumns columns;
        columns.site = site.site;
        columns.shape = header.shape;
        columns.value_type = type_of_values(site, header.value_type).value_or(header.value_type);
        columns.coefficient_type = header.coefficient_type;
        columns.buffers[0] = site.buffers[0];
        columns.buffers[1] = site.buffers[1];
        block.sites.push_back(std::move(columns));
        keys.push_back(key);
        rows.emplace_back().reserve(end - i);
      }
      last_key = key;
    }
    block.push(static_cast<std::uint32_t>(window.first_item + entry.lane), entry.slot, at, rows[at].size());
    rows[at].push_back(entry);
  }
  taken = i;
  block.close();
  for (std::size_t s = 0; s < block.sites.size() && !barriers; ++s) {
    fill_columns(window, rows[s], block.sites[s]);
    place_registers(window, rows[s], keys[s], block.sites[s]);
  }
  return block;
}

// How the device header marks TRACE_OF_ITEM: then the item in 14 bits, and its element in 16.
constexpr std::uint32_t of_item = 0x40000000u;

// An item's indices into its own array become indices into all of its group's.
void LogReader::place_registers(const LogWindow& window, const std::vector<Entry>& entries, std::uint32_t key,
                                SiteColumns& columns) {
  const SiteOfLaunch& site = *find_site(window, key);
  const TraceMacro* macro = macro_of(columns.shape);
  if (!macro || (site.registers[0] == 0 && site.registers[1] == 0)) return;
  const auto reads = static_cast<std::size_t>(macro->count('r'));
  const int read_from = macro->place('b') > 0 ? 1 : 0;
  const bool writes_elsewhere = macro->place('o') > 0;
  for (std::size_t w = 0; w < columns.index.size(); ++w) {
    const std::uint32_t each = site.registers[w < reads ? read_from : 0];
    if (each == 0) continue;
    for (std::size_t r = 0; r < entries.size(); ++r) {
      std::uint64_t local = (window.first_item + entries[r].lane) % site.group_items;
      std::uint32_t& index = columns.index[w][r];
      // TRACE_OF_ITEM: what a shuffle brought is another item's, but an item writes into its own array alone.
      if (index >> 30 == of_item >> 30 && w < reads && writes_elsewhere) {
        local = (index - of_item) >> 16;
        index &= 0xffffu;
      }
      // What is outside the array stays outside of all of them.
      index = index < each && local < site.group_items ? static_cast<std::uint32_t>(local * each + index)
                                                       : ~std::uint32_t(0);
    }
  }
}

// Copies the columns of one site's operations out of the log: directly where they are side by side, else one by one.
void LogReader::fill_columns(const LogWindow& window, const std::vector<Entry>& entries, SiteColumns& columns) {
  const LogLayout& layout = window.layout;
  const ShapeTraits& shape = traits(columns.shape);
  const std::size_t count = entries.size();
  const bool straight = std::all_of(entries.begin(), entries.end(),
                                    [&, lane = entries[0].lane, slot = entries[0].slot](const Entry& entry) mutable {
                                      return entry.slot == slot && entry.lane == lane++;
                                    });
  // The first word of a pair, for an operation; `word` counts the slot's words behind the header.
  const auto pair = [&](const Entry& entry, std::size_t word) {
    return window.words.data() + layout.header(entry.slot) + layout.pitch * (1 + (word & ~std::size_t(1))) +
           std::size_t(2) * entry.lane;
  };
  std::uint32_t next = 0;
  const auto take = [&](std::size_t width, std::byte* out) {  // `width` words of every operation, side by side
    const std::size_t word = place_words(next, static_cast<std::uint32_t>(width));
    if (width == 2 && straight) {
      std::memcpy(out, pair(entries[0], word), count * 2 * sizeof(std::uint32_t));
      return;
    }
    for (std::size_t r = 0; r < count; ++r)
      for (std::size_t w = 0; w < width; w += 2, out += std::min<std::size_t>(width, 2) * sizeof(std::uint32_t))
        std::memcpy(out, pair(entries[r], word + w) + ((word + w) & 1),
                    std::min<std::size_t>(width, 2) * sizeof(std::uint32_t));
  };
  const auto values = [&](int how_many, ElementType type, std::vector<std::vector<std::byte>>& out) {
    const std::size_t bytes = traits(type).bytes, logged = std::max(bytes, sizeof(std::uint32_t));
    for (int v = 0; v < how_many; ++v) {
      std::vector<std::byte>& column = out.emplace_back(count * logged);
      take(logged / sizeof(std::uint32_t), column.data());
      if (bytes == logged) continue;
      for (std::size_t r = 1; r < count; ++r)
        std::memmove(column.data() + r * bytes, column.data() + r * logged, bytes);
      column.resize(count * bytes);  // the low bytes of each: what a store of it would leave
    }
  };

  const auto words = static_cast<std::size_t>(shape.index_words);
  columns.index.resize(words);
  for (std::size_t w = 0; w < words; ++w) {
    columns.index[w].resize(count);
    const std::uint32_t* word = pair(entries[0], w) + (w & 1);
    for (std::size_t r = 0; r < count; ++r, word += 2) {
      if (!straight) word = pair(entries[r], w) + (w & 1);
      columns.index[w][r] = *word;
    }
  }
  next = static_cast<std::uint32_t>(words);
  values(shape.coefficients, columns.coefficient_type, columns.coefficients);
  if (detail_ == Detail::Values) {
    values(shape.reads, columns.value_type, columns.reads);
    values(shape.writes, columns.value_type, columns.writes);
  }
  assert(next < layout.words);
}

}  // namespace twiddle
