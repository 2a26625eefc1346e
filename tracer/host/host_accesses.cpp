#include "tracer/host/host_accesses.h"

#include "base/values/hash.h"
#include "tracer/host/host_compiler.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace twiddle {

using twiddle_host::Address;

namespace {

MemoryOrder order_of(twiddle_host::Order order) {
  switch (order) {
    case twiddle_host::Order::Relaxed: break;
    case twiddle_host::Order::Acquire: return MemoryOrder::Acquire;
    case twiddle_host::Order::Release: return MemoryOrder::Release;
    case twiddle_host::Order::AcquireRelease: return MemoryOrder::AcquireRelease;
    case twiddle_host::Order::Sequential: return MemoryOrder::Sequential;
  }
  return MemoryOrder::Relaxed;
}

MemoryScope scope_of(twiddle_host::Reach reach) {
  switch (reach) {
    case twiddle_host::Reach::Block: return MemoryScope::Group;
    case twiddle_host::Reach::Device: break;
    case twiddle_host::Reach::System: return MemoryScope::System;
  }
  return MemoryScope::Device;
}

std::uint64_t value_at(Address address, std::size_t bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, reinterpret_cast<const void*>(address), bytes);
  return value;
}

// The largest piece of 8 bytes at most of which there is a whole number.
std::uint8_t chunk_of(std::uint64_t bytes) {
  std::uint8_t chunk = 8;
  while (bytes % chunk != 0) chunk /= 2;
  return chunk;
}

std::uint8_t components_of(std::uint64_t bytes) {
  return static_cast<std::uint8_t>(std::clamp<std::uint64_t>(bytes / 4, 1, 16));
}

}  // namespace

ElementType element_type_of(twiddle_host::Scalar scalar) {
  using twiddle_host::Scalar;
  switch (scalar) {
    case Scalar::Other: break;
    case Scalar::Int: return ElementType::Int;
    case Scalar::UInt: return ElementType::UInt;
    case Scalar::Float: return ElementType::Float;
    case Scalar::Double: return ElementType::Double;
    case Scalar::Int2: return ElementType::Int2;
    case Scalar::UInt2: return ElementType::UInt2;
    case Scalar::Float2: return ElementType::Float2;
    case Scalar::Double2: return ElementType::Double2;
    case Scalar::Char: return ElementType::Char;
    case Scalar::UChar: return ElementType::UChar;
    case Scalar::Short: return ElementType::Short;
    case Scalar::UShort: return ElementType::UShort;
    case Scalar::Long: return ElementType::Long;
    case Scalar::ULong: return ElementType::ULong;
  }
  return ElementType::UInt;
}

HostAccessLog::HostAccessLog(const AccessRequest& request)
    // While an entry is put among its item's, it is there twice.
    : request_(request), capacity_(request.max_bytes / (sizeof(Entry) + 20)) {}

std::size_t HostAccessLog::PlaceHash::operator()(const Place& place) const {
  std::uint64_t hash = reinterpret_cast<Address>(place.pc) ^ static_cast<std::uint64_t>(place.line) << 40;
  for (const unsigned part : {static_cast<unsigned>(place.kind), static_cast<unsigned>(place.space),
                              unsigned(place.components), unsigned(place.chunk)})
    hash = hash * 31 + part;
  hash *= golden_64;
  return hash ^ hash >> 32;
}

std::uint32_t HostAccessLog::site_of(const Place& place) {
  const std::size_t hash = PlaceHash()(place);
  std::uint32_t& recent = recent_[hash % recent_sites];
  if (recent < places_.size() && places_[recent] == place) return recent;
  const auto [at, added] = sites_.try_emplace(place, static_cast<std::uint32_t>(places_.size()));
  if (added) places_.push_back(place);
  return recent = at->second;
}

HostAccessLog::Entry* HostAccessLog::append(std::uint64_t item, std::uint32_t site, std::uint64_t address,
                                            std::uint64_t value) {
  if (count_ >= capacity_) {
    ++lost_;
    return nullptr;
  }
  if (count_ % block_entries == 0) blocks_.emplace_back().reserve(block_entries);
  ++count_;
  blocks_.back().push_back({static_cast<std::uint32_t>(item - request_.first_item), site, address, value});
  return &blocks_.back().back();
}

void HostAccessLog::settle_pending() {
  for (std::uint64_t i = 0; i < pending_count_; ++i) {
    Entry& written = entry(pending_first_ + i);
    written.value = value_at(written.address, places_[written.site].chunk);
  }
  // What a structure's copy writes was not there yet when it read: the read came first.
  if (copied_first_ > 0) {
    bool later = false;
    for (std::uint64_t i = 0; i < pending_count_; ++i)
      later = later || entry(pending_first_ + i).value != before_copy_[i];
    for (std::uint64_t i = 0; i < pending_count_ && later; ++i)
      later = entry(pending_first_ + i).value == entry(copied_first_ + i).value;
    for (std::uint64_t i = 0; i < pending_count_ && later; ++i)
      std::swap(entry(pending_first_ + i), entry(copied_first_ + i));
  }
  copied_first_ = pending_count_ = 0;
}

void HostAccessLog::forget_since(const Mark& mark) {
  settle();
  if (mark.entries > count_) return;
  count_ = mark.entries;
  lost_ = mark.lost;
  blocks_.resize((count_ + block_entries - 1) / block_entries);
  if (!blocks_.empty()) blocks_.back().resize((count_ - 1) % block_entries + 1);
}

void HostAccessLog::pieces(std::uint64_t item, const void* pc, AccessKind kind, Space space, Address address,
                           std::uint64_t bytes, bool readable) {
  // Where a structure is copied the compiler tells of the write, of the read, and then does both.
  if (!is_read(kind)) settle();
  const std::uint8_t chunk = chunk_of(bytes);
  // Of plain accesses only volatile ones reach the whole system; see take().
  const bool is_volatile = is_atomic(kind);
  if (is_volatile) kind = is_write(kind) ? AccessKind::Store : AccessKind::Load;
  const std::uint32_t own = site_of({pc, 0, kind, space, components_of(bytes), chunk, MemoryOrder::Relaxed,
                                     is_volatile ? MemoryScope::System : MemoryScope::Device});
  const std::uint64_t first = count_;
  const std::uint64_t written = pending_first_, pieces_written = pending_count_;
  for (std::uint64_t at = 0; at < bytes; at += chunk)
    append(item, own, address + at, is_read(kind) && readable ? value_at(address + at, chunk) : 0);
  if (is_read(kind) && readable && pieces_written > 0 && first == written + pieces_written &&
      count_ - first == pieces_written && entry(written).item == entry(first).item &&
      places_[entry(written).site].chunk == chunk) {
    copied_first_ = first;
    before_copy_.clear();
    for (std::uint64_t i = 0; i < pieces_written; ++i)
      before_copy_.push_back(value_at(entry(written + i).address, chunk));
  }
  if (is_write(kind) && readable) {
    pending_first_ = first;
    pending_count_ = count_ - first;
  }
}

void HostAccessLog::access(std::uint64_t item, const void* pc, AccessKind kind, Space space, Address address,
                           std::uint64_t bytes) {
  pieces(item, pc, kind, space, address, bytes, true);
}

void HostAccessLog::stray(std::uint64_t item, const void* pc, AccessKind kind, Space space, Address address,
                          std::uint64_t bytes) {
  pieces(item, pc, is_write(kind) ? AccessKind::Store : AccessKind::Load, space, address, bytes, false);
}

void HostAccessLog::unwritten(std::uint64_t item, const void* pc, Address made_up, Address address,
                              std::uint64_t bytes) {
  const std::uint8_t chunk = chunk_of(bytes);
  const std::uint32_t site = site_of({pc, 0, AccessKind::Load, Space::Private, components_of(bytes), chunk,
                                      MemoryOrder::Relaxed, MemoryScope::Device});
  for (std::uint64_t at = 0; at < bytes; at += chunk) append(item, site, made_up + at, value_at(address + at, chunk));
}

void HostAccessLog::atomic(std::uint64_t item, Space space, const twiddle_host::AtomicAccess& what) {
  settle();
  const auto chunk = static_cast<std::uint8_t>(what.bytes);
  const auto site = [&](AccessKind kind) {
    return site_of(
        {what.pc, 0, kind, space, components_of(what.bytes), chunk, order_of(what.order), scope_of(what.reach)});
  };
  if (what.read) append(item, site(AccessKind::AtomicLoad), what.address, what.before);
  if (what.wrote) append(item, site(AccessKind::AtomicStore), what.address, what.after);
}

void HostAccessLog::meet(std::uint64_t item, int line, AccessKind kind, MemoryOrder order, MemoryScope scope,
                         std::uint64_t value) {
  settle();
  append(item, site_of({nullptr, line, kind, Space::Global, 1, 8, order, scope}), 0, value);
}

void HostAccessLog::copy(std::uint64_t item, int line, const Memory& to, const Memory& from, std::uint64_t bytes) {
  settle();
  const std::uint8_t chunk = chunk_of(bytes), components = components_of(bytes);
  const auto site = [&](AccessKind kind, Space space) {
    return site_of({nullptr, line, kind, space, components, chunk, MemoryOrder::Relaxed, MemoryScope::Device});
  };
  for (std::uint64_t at = 0; at < bytes; at += chunk) {
    const std::uint64_t value = value_at(to.address + at, chunk);
    if (from.address != 0) append(item, site(AccessKind::CopyLoad, from.space), from.address + at, value);
    append(item, site(AccessKind::CopyStore, to.space), to.address + at, value);
  }
}

void HostAccessLog::fence(std::uint64_t item, int line, twiddle_host::Order order, twiddle_host::Reach reach) {
  meet(item, line, AccessKind::Fence, order_of(order), scope_of(reach), ordered_local | ordered_global);
}

RawAccesses HostAccessLog::take(const HostModule& module, std::uint64_t launch_items) {
  settle();
  RawAccesses raw;
  raw.lost = lost_;
  raw.attempted = count_ + lost_;
  raw.ranges = std::move(ranges_);
  raw.first_item = std::min(request_.first_item, launch_items);
  const std::uint64_t items = std::min(request_.items, launch_items - raw.first_item);

  std::vector<const void*> codes;
  for (const Place& place : places_) codes.push_back(place.pc);
  const std::vector<SourcePlace> lines = module.places_of(codes);
  // Debug information has lines; what tells the places of one apart is how far they are from their function's first.
  std::map<std::string, std::uintptr_t> first_code;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const auto code = reinterpret_cast<std::uintptr_t>(codes[i]);
    const auto [at, added] = first_code.try_emplace(lines[i].function, code);
    if (code != 0 && (at->second == 0 || code < at->second)) at->second = code;
  }
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Place& place = places_[i];
    AccessSite site;
    site.kind = place.kind;
    site.space = place.space;
    site.type = ElementType::UInt;
    site.components = place.components;
    site.chunk = place.chunk;
    site.order = place.order;
    site.scope = place.scope;
    site.is_volatile = touches_memory(place.kind) && !is_atomic(place.kind) && place.scope == MemoryScope::System;
    site.source = lines[i].source;
    site.line = place.pc ? lines[i].line : place.line;
    site.function = lines[i].function;
    if (place.pc) site.pc = reinterpret_cast<std::uintptr_t>(place.pc) - first_code.at(site.function);
    raw.sites.push_back(std::move(site));
  }

  // By item: counted, then put where they belong.
  raw.begin.assign(items + 1, 0);
  for (const auto& block : blocks_)
    for (const Entry& one : block) ++raw.begin[one.item + 1];
  for (std::uint64_t i = 0; i < items; ++i) raw.begin[i + 1] += raw.begin[i];
  std::vector<std::uint64_t> next(raw.begin.begin(), raw.begin.end() - 1);
  raw.site.resize(count_);
  raw.address.resize(count_);
  raw.value.resize(count_);
  for (auto& block : blocks_) {
    for (const Entry& one : block) {
      const std::uint64_t at = next[one.item]++;
      raw.site[at] = one.site;
      raw.address[at] = one.address;
      raw.value[at] = one.value;
    }
    block = {};
  }
  blocks_.clear();
  sites_.clear();
  places_.clear();
  count_ = lost_ = 0;
  return raw;
}

}  // namespace twiddle
