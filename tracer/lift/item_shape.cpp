#include "tracer/lift/item_shape.h"

#include "base/values/hash.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

namespace twiddle {
namespace {

constexpr std::size_t max_open_halves = 64;  // first components whose second one may still come

// What a record adds to an item's values.
enum class Part : std::uint8_t { None, Value, Two, Half };  // Two: real numbers side by side in a record

// An item's own array is as good as registers: what goes through it is found between the accesses before and behind.
bool is_own(const AccessSite& site) { return site.space == Space::Private && touches_memory(site.kind); }

Part part_of(const AccessSite& site, const WordType& type, std::uint64_t offset) {
  if (!touches_memory(site.kind) || is_atomic(site.kind) || is_own(site)) return Part::None;
  if (!type.floating) return site.chunk == 8 && type.width == 4 ? Part::Two : Part::Value;
  if (site.chunk < type.width) return Part::Value;
  if (site.chunk == type.width) return type.paired ? Part::Half : Part::Value;
  return type.paired && offset % (2 * type.width) == 0 ? Part::Value : Part::Two;
}

// Halves of complex values, each waiting for the other.
class Halves {
 public:
  struct Half {
    std::uint64_t element;
    int buffer;
    bool write, second;
    std::uint32_t record;
  };
  void clear() { open_.clear(); }
  /// How many places back its other half is, which is taken out; 0: none is there, and it waits.
  std::size_t meet(const Half& half, Half& other) {
    for (std::size_t back = 1; back <= open_.size(); ++back) {
      const Half& one = open_[open_.size() - back];
      if (one.element != half.element || one.buffer != half.buffer || one.write != half.write) continue;
      if (one.second == half.second) break;  // the same half again: the first stays alone
      other = one;
      open_.erase(open_.end() - static_cast<std::ptrdiff_t>(back));
      return back;
    }
    if (open_.size() == max_open_halves) open_.erase(open_.begin());
    open_.push_back(half);
    return 0;
  }

 private:
  std::vector<Half> open_;
};

class Parser {
 public:
  Parser(const AccessLog& log, const TraceInfo& info) : log_(log), info_(info) {}

  std::uint64_t hash(std::uint64_t item) {
    halves_.clear();
    std::uint64_t hash = 1;
    const std::uint64_t base = log_.begin[item];
    std::uint64_t kept = base;  // the record behind the latest one that counts
    for (std::uint64_t k = base; k < log_.begin[item + 1]; ++k) {
      const AccessSite& site = log_.sites[log_.site[k]];
      if (is_own(site)) continue;
      // How often an item uses its own array may depend on its data, and slots count all records.
      if (k > kept) hash = mixed(hash, ~(k - kept));
      kept = k + 1;
      hash = mixed(hash, (std::uint64_t(log_.site[k]) << 32) | std::uint32_t(log_.buffer[k]));
      const WordType type = word_type(site, info_, log_.buffer[k]);
      if (!type.paired) continue;
      const Part part = part_of(site, type, log_.offset[k]);
      std::size_t back = 0;
      Halves::Half other;
      if (part == Part::Half) back = halves_.meet(half(k, base, site, type), other);
      hash = mixed(hash, std::uint64_t(part) * 256 + back * 2 + (log_.offset[k] / type.width) % 2);
    }
    return hash;
  }

  void parse(std::uint64_t item, ItemShape& shape) {
    halves_.clear();
    const std::uint64_t base = log_.begin[item], end = log_.begin[item + 1];
    int epoch = 0;
    std::vector<std::pair<std::uint32_t, Slot>> alone;  // halves, until their other one comes
    for (std::uint64_t k = base; k < end; ++k) {
      const auto record = static_cast<std::uint32_t>(k - base);
      const AccessSite& site = log_.sites[log_.site[k]];
      if (site.kind == AccessKind::Barrier) ++epoch;
      if (site.kind == AccessKind::AtomicLoad) {
        const bool written = k + 1 < end && log_.sites[log_.site[k + 1]].kind == AccessKind::AtomicStore;
        (written ? shape.atomic : shape.atomic_alone).push_back(record);
        if (written) shape.atomic_epoch.push_back(epoch);
      }
      const WordType type = word_type(site, info_, log_.buffer[k]);
      const Part part = part_of(site, type, log_.offset[k]);
      if (part == Part::None) continue;
      Slot slot;
      slot.write = is_write(site.kind);
      slot.copy = site.kind == AccessKind::CopyStore || site.kind == AccessKind::CopyLoad;
      slot.local = site.space == Space::Local;
      slot.number = !type.floating || site.chunk < type.width        ? Number::Whole
                    : part == Part::Value && site.chunk > type.width ? Number::Complex
                                                                     : Number::Real;
      slot.width = std::min(type.width, site.chunk);
      slot.record = {record, record};
      slot.byte = {0, type.width};
      slot.buffer = log_.buffer[k];
      const BufferInfo* buffer = info_.buffer(slot.buffer);
      slot.type = buffer ? buffer->type : site.type;
      slot.epoch = epoch;
      slot.site = log_.site[k];
      if (part == Part::Two) {
        shape.slots.push_back(slot);
        slot.byte = {type.width, type.width};
      } else if (part == Part::Half) {
        Halves::Half other;
        if (halves_.meet(half(k, base, site, type), other)) {
          // The value is complete here: the slot of its first half goes.
          const auto first = std::find_if(shape.slots.rbegin(), shape.slots.rend(), [&](const Slot& one) {
            return one.records == 1 && one.record[0] == other.record;
          });
          shape.slots.erase(std::next(first).base());
          slot.number = Number::Complex;
          slot.records = 2;
          slot.byte = {0, 0};
          slot.record = other.second ? std::array{record, other.record} : std::array{other.record, record};
        }
      }
      shape.slots.push_back(slot);
    }
  }

 private:
  Halves::Half half(std::uint64_t k, std::uint64_t base, const AccessSite& site, const WordType& type) const {
    const std::uint64_t component = log_.offset[k] / type.width;
    return {component / 2, log_.buffer[k], is_write(site.kind), component % 2 == 1,
            static_cast<std::uint32_t>(k - base)};
  }

  const AccessLog& log_;
  const TraceInfo& info_;
  Halves halves_;
};

double floating(std::uint64_t value, int byte, int width) {
  if (width == 8) {
    double number = 0;
    std::memcpy(&number, &value, sizeof number);
    return number;
  }
  const auto word = static_cast<std::uint32_t>(value >> (8 * byte));
  float number = 0;
  std::memcpy(&number, &word, sizeof number);
  return number;
}

}  // namespace

WordType word_type(const AccessSite& site, const TraceInfo& info, int buffer) {
  const ElementTraits& own = traits(site.type);
  WordType type;
  if (own.floating) {
    type = {true, site.components >= 2 || own.components == 2, static_cast<std::uint8_t>(own.wide ? 8 : 4)};
    if (const BufferInfo* known = info.buffer(buffer)) {
      const ElementTraits& element = traits(known->type);
      if (element.floating && element.components == 2 && element.wide == own.wide) type.paired = true;
    }
    return type;
  }
  if (const BufferInfo* known = info.buffer(buffer)) {
    const ElementTraits& element = traits(known->type);
    type.floating = element.floating;
    type.width = element.wide ? 8 : 4;
    type.paired = element.floating && element.components == 2;
    if (!element.floating) type.width = element.components == 2 ? site.chunk : std::min<std::uint8_t>(4, site.chunk);
    return type;
  }
  type.width = site.chunk;
  return type;
}

std::vector<ItemShape> item_shapes(const AccessLog& log, const TraceInfo& info) {
  std::vector<ItemShape> shapes;
  std::unordered_map<std::uint64_t, std::size_t> known;
  Parser parser(log, info);
  for (std::uint64_t item = 0; item < log.items(); ++item) {
    if (log.begin[item] == log.begin[item + 1]) continue;
    const auto [at, fresh] = known.emplace(parser.hash(item), shapes.size());
    if (fresh) {
      shapes.emplace_back();
      parser.parse(item, shapes.back());
    }
    shapes[at->second].items.push_back(static_cast<std::uint32_t>(item));
  }
  return shapes;
}

std::complex<double> number_of(const AccessLog& log, const Slot& slot, std::uint64_t base) {
  if (slot.held) {
    std::complex<double> sum = 0;
    for (std::size_t i = 0; i < slot.held->of.size(); ++i)
      sum += slot.held->factors[i] * number_of(log, slot.held->of[i], base);
    return sum;
  }
  const std::uint64_t value = log.value[base + slot.record[0]];
  switch (slot.number) {
    case Number::Complex: {
      const std::uint64_t second = slot.records == 2 ? log.value[base + slot.record[1]] : value;
      if (slot.real) return floating(value, slot.byte[0], slot.width);
      if (slot.imaginary)
        return {0, slot.conjugated ? -floating(value, slot.byte[0], slot.width)
                                   : floating(value, slot.byte[0], slot.width)};
      const double imaginary = floating(second, slot.byte[1], slot.width);
      return {floating(value, slot.byte[0], slot.width), slot.conjugated ? -imaginary : imaginary};
    }
    case Number::Real: {
      const double number = floating(value, slot.byte[0], slot.width);
      return slot.conjugated ? -number : number;
    }
    case Number::Whole: break;
  }
  return static_cast<double>(whole_of(log, slot, base));
}

std::uint64_t whole_of(const AccessLog& log, const Slot& slot, std::uint64_t base) {
  const std::uint64_t value = log.value[base + slot.record[0]] >> (8 * slot.byte[0]);
  return slot.width >= 8 ? value : value & ((std::uint64_t(1) << (8 * slot.width)) - 1);
}

std::uint64_t bits_of(const AccessLog& log, const Slot& slot, std::uint64_t base) {
  const std::uint64_t first = whole_of(log, slot, base);
  if (slot.number != Number::Complex) return first;
  if (slot.real) return slot.width == 4 ? first : mixed(first, 0);
  const std::uint64_t value = log.value[base + slot.record[slot.records == 2 ? 1 : 0]] >> (8 * slot.byte[1]);
  if (slot.width == 4) return first | (value << 32);
  return mixed(first, value);
}

}  // namespace twiddle
