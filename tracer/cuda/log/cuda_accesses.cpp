#include "tracer/cuda/log/cuda_accesses.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace twiddle {
namespace {

using twiddle_cuda::What;

// Shared memory begins with a kilobyte of the system's own.
constexpr std::uint64_t system_shared_bytes = 0x400;
constexpr std::uint64_t both_spaces = ordered_local | ordered_global;

std::uint64_t cut(std::uint64_t value, std::uint32_t bytes) {
  return bytes >= 8 ? value : value & ((std::uint64_t(1) << (8 * bytes)) - 1);
}

constexpr int shuffle = 8;  // the Sanitizer's number

// What instructions that are counted alone do, by the Sanitizer's numbers.
Message unlogged_text(int instruction) {
  switch (instruction) {
    case shuffle:
      return Message(
          "shuffles are not logged: what lanes take from each other, who takes part and what they order was not "
          "checked");
    case 13: return Message("barriers in memory (cuda::barrier) are not logged");
    case 17: return Message("accesses to other blocks' shared memory are not logged");
    case 19: return Message("matrix loads and stores (ldmatrix, stmatrix) are not logged");
    case 21:
    case 22: return Message("barriers of a cluster are not logged");
    case 23: return Message("matrix products from shared memory (wgmma) are not logged");
    case 26:
    case 27: return Message("asynchronous stores and reductions in shared memory are not logged");
    default: return Message("bulk copies (TMA) are not logged");
  }
}

bool likely_float(std::uint32_t bits) {
  const int exponent = static_cast<int>(bits >> 23 & 255) - 127;
  return exponent > -60 && exponent < 60;
}
bool likely_double(std::uint64_t bits) {
  const int exponent = static_cast<int>(bits >> 52 & 2047) - 1023;
  return exponent > -60 && exponent < 60;
}

}  // namespace

CudaAccesses::CudaAccesses(const CudaLaunch& launch, const Cubin& cubin, const std::vector<CudaPlace>& functions,
                           std::vector<AccessRange> memory, std::uint64_t first_item, std::uint64_t items)
    : launch_(launch),
      cubin_(cubin),
      functions_(functions),
      memory_(std::move(memory)),
      first_(first_item),
      items_(items) {}

bool CudaAccesses::in_memory(std::uint64_t address) const {
  const auto after =
      std::upper_bound(memory_.begin(), memory_.end(), address,
                       [](std::uint64_t value, const AccessRange& range) { return value < range.address; });
  return after != memory_.begin() && address - (after - 1)->address < (after - 1)->bytes;
}

// The function that an instruction is in, its distance from there, and its line.
// Returns the code.
const CubinFunction* CudaAccesses::describe(AccessSite& site, std::uint64_t pc) const {
  constexpr std::uint64_t kept = (std::uint64_t(1) << 36) - 1;  // of the address, in the log
  for (const CudaPlace& place : functions_) {
    const std::uint64_t offset = (pc - place.pc) & kept;
    if (offset >= place.bytes) continue;
    site.function = demangled(place.name);
    site.pc = offset;
    const auto function = cubin_.find(place.name);
    if (function == cubin_.end()) return nullptr;
    if (const CubinLine* line = function->second.line_at(offset)) {
      site.file = line->file;
      site.line = line->line;
    }
    for (const CubinPart& part : function->second.parts)
      if (offset >= part.offset && offset - part.offset < part.bytes) site.function = demangled(part.name);
    return &function->second;
  }
  site.function = launch_.kernel;
  return nullptr;
}

std::uint32_t CudaAccesses::site(const CudaLanes& lanes, AccessKind kind, Space space, MemoryScope scope) {
  const auto key = std::tuple(lanes.head.pc, static_cast<int>(kind) << 8 | static_cast<int>(space), lanes.size);
  const auto [at, fresh] = sites_.emplace(key, static_cast<std::uint32_t>(raw_.sites.size()));
  if (!fresh) return at->second;
  AccessSite site;
  site.kind = kind;
  site.space = space;
  site.type = ElementType::UInt;  // compiled code knows sizes, not types
  site.chunk = static_cast<std::uint8_t>(std::min<std::uint32_t>(lanes.size, 8));
  site.components = static_cast<std::uint8_t>(std::max<std::uint32_t>(lanes.size / 8, 1));
  site.scope = scope;
  code_of_.push_back(describe(site, std::uint64_t(lanes.head.pc) << 4));
  if (const CubinFunction* code = code_of_.back(); code && (kind == AccessKind::Load || kind == AccessKind::Store))
    site.is_volatile = std::binary_search(code->strong.begin(), code->strong.end(), site.pc);
  raw_.sites.push_back(std::move(site));
  return at->second;
}

void CudaAccesses::put_access(std::uint64_t item, std::uint32_t site, const CudaLanes& lanes, std::size_t lane) {
  put(item, site, lanes.address[lane], cut(lanes.value[lane][0], lanes.size));
  if (lanes.size == 16) put(item, site, lanes.address[lane] + 8, lanes.value[lane][1]);
}

void CudaAccesses::add(const CudaLanes& lanes, std::uint64_t order) {
  const What what = static_cast<What>(lanes.head.what);
  switch (what) {
    case twiddle_cuda::block_enter: return;
    case twiddle_cuda::copy_commit:
      return each_item(lanes, [&](std::uint64_t item, std::size_t) {
        Copies& copies = copies_[item];
        copies.groups.push_back(std::exchange(copies.open, 0));
      });
    case twiddle_cuda::copy_wait:
      return each_item(lanes, [&](std::uint64_t item, std::size_t i) { add_copy_wait(item, lanes, i); });
    case twiddle_cuda::block_barrier: {
      // Named barriers that a part of the block meets at have no kind of their own: for what they order, a fence.
      const bool all = lanes.head.address == 0 || lanes.head.address >= launch_.group_size();
      const std::uint32_t at =
          site(lanes, all ? AccessKind::Barrier : AccessKind::Fence, Space::Local, MemoryScope::Group);
      if (!all) raw_.sites[at].order = MemoryOrder::Sequential;
      return each_item(lanes, [&](std::uint64_t item, std::size_t) {
        partial_barriers_ += !all;
        put(item, at, 0, both_spaces);
      });
    }
    case twiddle_cuda::warp_barrier: {
      const std::uint32_t at = site(lanes, AccessKind::Barrier, Space::Local, MemoryScope::SubGroup);
      return each_item(lanes, [&](std::uint64_t item, std::size_t i) {
        put(item, at, 0, both_spaces | (lanes.address[i] & 0xffffffff) << 32);
      });
    }
    case twiddle_cuda::global_atomic: return add_atomic(lanes, order, Space::Global);
    case twiddle_cuda::shared_atomic: return add_atomic(lanes, order, Space::Local);
    default: return add_memory(lanes, order);
  }
}

void CudaAccesses::note_shared(std::uint64_t address, std::uint64_t bytes) {
  shared_first_ = std::min(shared_first_, address);
  shared_end_ = std::max(shared_end_, address + bytes);
}

void CudaAccesses::add_memory(const CudaLanes& lanes, std::uint64_t order) {
  const auto what = static_cast<What>(lanes.head.what);
  const bool shared =
      what == twiddle_cuda::shared_load || what == twiddle_cuda::shared_store || what == twiddle_cuda::copy_store;
  const bool copy = what == twiddle_cuda::copy_load || what == twiddle_cuda::copy_store;
  const bool store =
      what == twiddle_cuda::global_store || what == twiddle_cuda::shared_store || what == twiddle_cuda::copy_store;
  const AccessKind kind = copy    ? store ? AccessKind::CopyStore : AccessKind::CopyLoad
                          : store ? AccessKind::Store
                                  : AccessKind::Load;
  std::uint32_t at = 0;
  bool known = false;  // sites are of accesses that are kept
  each_item(lanes, [&](std::uint64_t item, std::size_t i) {
    if (!shared && !in_memory(lanes.address[i])) return;
    if (!known) at = site(lanes, kind, shared ? Space::Local : Space::Global, MemoryScope::Device);
    known = true;
    if (shared) note_shared(lanes.address[i], lanes.size);
    if (!store && raw_.sites[at].is_volatile)
      seen_.push_back({order, lanes.address[i], cut(lanes.value[i][0], lanes.size), no_store, false});
    put_access(item, at, lanes, i);
    if (what == twiddle_cuda::copy_store) ++copies_[item].open;
  });
}

void CudaAccesses::add_atomic(const CudaLanes& lanes, std::uint64_t order, Space space) {
  std::uint32_t load = 0, store = 0;
  bool known = false;
  each_item(lanes, [&](std::uint64_t item, std::size_t i) {
    if (space == Space::Global && !in_memory(lanes.address[i])) return;
    if (!known) {
      load = site(lanes, AccessKind::AtomicLoad, space, MemoryScope::Device);
      store = site(lanes, AccessKind::AtomicStore, space, MemoryScope::Device);
      known = true;
    }
    if (space == Space::Local) note_shared(lanes.address[i], lanes.size);
    const std::uint64_t old = cut(lanes.value[i][0], lanes.size);
    const auto end = lanes.address.begin() + lanes.count;
    const bool alone = std::count(lanes.address.begin(), end, lanes.address[i]) == 1;
    // Shared addresses are each block's own: the block is made part of what is compared.
    const std::uint64_t block = space == Space::Local ? item / launch_.group_size() + 1 : 0;
    put(item, load, lanes.address[i], old);
    seen_.push_back({order, lanes.address[i] ^ block << 40, old, entries_.size(), alone});
    put(item, store, lanes.address[i], old);
  });
}

void CudaAccesses::add_copy_wait(std::uint64_t item, const CudaLanes& lanes, std::size_t lane) {
  Copies& copies = copies_[item];
  const std::uint64_t stay = lanes.address[lane];  // groups that may still be on their way
  if (stay >= copies.groups.size() && stay > 0) return;
  std::uint64_t done = 0;
  for (std::size_t g = 0; g + stay < copies.groups.size(); ++g) done += copies.groups[g];
  copies.groups.erase(copies.groups.begin(), copies.groups.end() - static_cast<std::ptrdiff_t>(stay));
  const bool all = copies.open == 0 &&
                   std::all_of(copies.groups.begin(), copies.groups.end(), [](std::uint64_t n) { return n == 0; });
  if (done == 0 && !all) return;
  put(item, site(lanes, AccessKind::CopyWait, Space::Local, MemoryScope::Item), 0, all ? 0 : done);
}

// An atomic operation left what the next one on its address saw; after the last one, what those saw who wait for it.
void CudaAccesses::complete_atomics() {
  std::stable_sort(seen_.begin(), seen_.end(), [](const Seen& a, const Seen& b) {
    return std::tuple(a.address, a.order) < std::tuple(b.address, b.order);
  });
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    if (seen_[i].store == no_store) continue;
    // A reader's value may be from before, although it comes later in the log: the latest tells.
    std::size_t last = i;
    while (last + 1 < seen_.size() && seen_[last + 1].address == seen_[i].address) {
      ++last;
      if (seen_[last].store != no_store) break;
    }
    if (seen_[i].alone && last > i && seen_[last].order != seen_[i].order)
      entries_[seen_[i].store].value = seen_[last].value;
    else
      ++unknown_atomics_;
  }
}

void CudaAccesses::add_shared_ranges() {
  if (shared_end_ == 0 && launch_.shared_bytes <= system_shared_bytes) return;
  const std::uint64_t begin = shared_first_ < system_shared_bytes ? 0 : system_shared_bytes;
  const std::uint64_t end = std::max(shared_end_, launch_.shared_bytes);
  if (end <= begin || items_ == 0) return;
  const std::uint64_t group = launch_.group_size();
  for (std::uint64_t owner = first_ / group; owner <= (first_ + items_ - 1) / group; ++owner) {
    AccessRange range;
    range.space = Space::Local;
    range.address = begin;
    range.bytes = end - begin;
    range.name = "shared";
    range.owner = static_cast<std::int64_t>(owner);
    raw_.ranges.push_back(std::move(range));
  }
}

// What the values look like: of each allocation, and of the blocks' shared memory, which have one layout.
void CudaAccesses::guess_types() {
  struct Votes {
    std::uint64_t floats = 0, wholes = 0, narrow = 0;  // of 4 bytes or less
    std::uint64_t wide = 0, pairs = 0, long_pairs = 0,
                  doubles = 0;   // of 8: all; of two floats; with two halves; doubles
    std::uint64_t sixteens = 0;  // of them: halves of 16
    bool any() const { return wholes + narrow + wide > 0; }
  };
  // Threads that write no results may hold anything (those behind the end of a batch): they are heard where others are silent.
  std::unordered_set<std::uint64_t> writers;
  for (const Entry& entry : entries_)
    if (const AccessSite& site = raw_.sites[entry.site]; is_write(site.kind) && site.space == Space::Global)
      writers.insert(entry.item);
  std::vector<Votes> votes(memory_.size() + 1), others(memory_.size() + 1);
  for (const Entry& entry : entries_) {
    const AccessSite& site = raw_.sites[entry.site];
    if (!touches_memory(site.kind) || entry.value == 0) continue;
    std::size_t of = memory_.size();
    if (site.space == Space::Global) {
      const auto after =
          std::upper_bound(memory_.begin(), memory_.end(), entry.address,
                           [](std::uint64_t value, const AccessRange& range) { return value < range.address; });
      if (after == memory_.begin()) continue;
      of = static_cast<std::size_t>(after - memory_.begin()) - 1;
    }
    Votes& vote = writers.contains(entry.item) ? votes[of] : others[of];
    const auto low = static_cast<std::uint32_t>(entry.value), high = static_cast<std::uint32_t>(entry.value >> 32);
    if (site.chunk < 4) {
      ++vote.wholes;
    } else if (site.chunk == 4) {
      ++vote.narrow;
      ++(likely_float(low) ? vote.floats : vote.wholes);
    } else {
      // The low half of a double looks like a float about every other time, that of a pair of floats always.
      ++vote.wide;
      vote.pairs += (low == 0 || likely_float(low)) && (high == 0 || likely_float(high));
      vote.long_pairs += low != 0;
      vote.doubles += likely_double(entry.value);
      vote.sixteens += site.components == 2;
    }
  }
  const auto type = [](const Votes& vote) {
    if (vote.wide > vote.narrow) {
      if (10 * vote.pairs >= 9 * vote.wide && vote.long_pairs > 0) return ElementType::Float2;
      if (10 * vote.doubles >= 9 * vote.wide)
        return 2 * vote.sixteens > vote.wide ? ElementType::Double2 : ElementType::Double;
      return 10 * vote.pairs >= 9 * vote.wide ? ElementType::Float2 : ElementType::UInt;
    }
    return vote.floats >= vote.wholes && vote.floats > 0 ? ElementType::Float : ElementType::UInt;
  };
  for (AccessRange& range : raw_.ranges) {
    const bool local = range.space == Space::Local;
    const auto at = local ? memory_.end() : std::find_if(memory_.begin(), memory_.end(), [&](const AccessRange& one) {
      return one.address == range.address;
    });
    const auto which = static_cast<std::size_t>(at - memory_.begin());
    range.type = type(votes[which].any() ? votes[which] : others[which]);
    range.element_bytes = traits(range.type).bytes;
  }
}

// The Sanitizer does not tell of fences. Between two of an item's accesses there was one where the code has one between their
// places; where the second comes earlier in the code, a loop went back, and any that it may have passed counts. What a fence
// might order is then not taken for a race.
void CudaAccesses::add_fences() {
  if (std::none_of(code_of_.begin(), code_of_.end(),
                   [](const CubinFunction* code) { return code && !code->fences.empty(); }))
    return;
  std::map<std::pair<const CubinFunction*, std::uint64_t>, std::uint32_t> sites;
  const auto fence_at = [&](std::uint32_t like, std::uint64_t offset) {
    const auto [at, fresh] =
        sites.emplace(std::pair(code_of_[like], offset), static_cast<std::uint32_t>(raw_.sites.size()));
    if (!fresh) return at->second;
    AccessSite site;
    site.kind = AccessKind::Fence;
    site.order = MemoryOrder::Sequential;  // as __threadfence() is
    site.scope = MemoryScope::Device;
    site.function = raw_.sites[like].function;
    site.pc = offset;
    if (const CubinLine* line = code_of_[like]->line_at(offset)) {
      site.file = line->file;
      site.line = line->line;
    }
    raw_.sites.push_back(std::move(site));
    code_of_.push_back(code_of_[like]);
    return at->second;
  };
  std::unordered_map<std::uint64_t, std::uint32_t> before;  // of each item, the site of its latest access
  std::vector<Entry> all;
  all.reserve(entries_.size());
  for (const Entry& entry : entries_) {
    const CubinFunction* code = code_of_[entry.site];
    const auto [last, first] = before.emplace(entry.item, entry.site);
    const std::uint32_t from = std::exchange(last->second, entry.site);
    // The two records of an atomic operation, or of a wide access, are of one place.
    const std::uint64_t begin = raw_.sites[from].pc, end = raw_.sites[entry.site].pc;
    const bool same = begin == end && (is_atomic(raw_.sites[from].kind) || raw_.sites[entry.site].chunk == 8);
    if (!first && code && code == code_of_[from] && !same) {
      const std::vector<std::uint64_t>& fences = code->fences;
      auto at = std::upper_bound(fences.begin(), fences.end(), begin);
      if (begin >= end && at == fences.end()) at = fences.begin();
      if (at != fences.end() && (begin < end ? *at < end : *at > begin || *at < end))
        all.push_back({entry.item, 0, both_spaces, fence_at(entry.site, *at)});
    }
    all.push_back(entry);
  }
  entries_ = std::move(all);
}

RawAccesses CudaAccesses::finish(const std::map<int, std::uint64_t>& unlogged) {
  complete_atomics();
  add_fences();
  raw_.ranges = memory_;
  add_shared_ranges();
  guess_types();

  raw_.first_item = first_;
  raw_.begin.assign(items_ + 1, 0);
  for (const Entry& entry : entries_) ++raw_.begin[entry.item - first_ + 1];
  for (std::uint64_t i = 0; i < items_; ++i) raw_.begin[i + 1] += raw_.begin[i];
  raw_.site.resize(entries_.size());
  raw_.address.resize(entries_.size());
  raw_.value.resize(entries_.size());
  std::vector<std::uint64_t> next(raw_.begin.begin(), raw_.begin.end());
  for (const Entry& entry : entries_) {
    const std::uint64_t at = next[entry.item - first_]++;
    raw_.site[at] = entry.site;
    raw_.address[at] = entry.address;
    raw_.value[at] = entry.value;
  }
  for (const auto& [instruction, count] : unlogged)
    raw_.unlogged.push_back({0, 0, count, unlogged_text(instruction), instruction == shuffle});
  // The Sanitizer does not count these.
  std::set<const CubinFunction*> ran(code_of_.begin(), code_of_.end());
  if (const auto kernel = cubin_.find(launch_.mangled); kernel != cubin_.end()) ran.insert(&kernel->second);
  if (std::any_of(ran.begin(), ran.end(), [](const CubinFunction* code) { return code && !code->votes.empty(); }))
    raw_.unlogged.push_back(
        {0, 0, 0,
         Message("votes, matches and reductions of a warp are not logged: what lanes take from each other, who takes "
                 "part and what they order was not checked"),
         true});
  if (partial_barriers_ > 0)
    raw_.unlogged.push_back({0, 0, partial_barriers_, Message("barriers of a part of the block count as fences")});
  if (unknown_atomics_ > 0)
    raw_.unlogged.push_back({0, 0, unknown_atomics_, Message("what an atomic operation left is not known")});
  if (launch_.cluster[0] * launch_.cluster[1] * launch_.cluster[2] > 1 && !unlogged.count(17))
    raw_.unlogged.push_back({0, 0, 0, unlogged_text(17)});
  raw_.lost = launch_.lost;
  raw_.attempted = entries_.size() + launch_.lost;
  return std::move(raw_);
}

}  // namespace twiddle
