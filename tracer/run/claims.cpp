#include "tracer/run/claims.h"

#include "tracer/cost/sub_group.h"
#include "tracer/trace/item_words.h"
#include "tracer/trace/memory/pairs.h"
#include "tracer/trace/number_text.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <optional>
#include <set>
#include <tuple>

namespace twiddle {
namespace {

// Rows of a block as a block of their own.
OperationBlock select(const OperationBlock& block, std::span<const std::uint32_t> rows, const int* buffers_of_site) {
  OperationBlock chosen;
  chosen.segment = block.segment;
  chosen.barriers = block.barriers;
  chosen.count = static_cast<std::uint32_t>(rows.size());
  std::vector<int> number(block.sites.size(), -1);  // of a site of the block in the chosen one
  for (const std::uint32_t i : rows) {
    const std::size_t from = block.site.empty() ? 0 : block.site[i];
    const std::uint32_t row = block.rank.empty() ? i : block.rank[i];
    const SiteColumns& columns = block.sites[from];
    if (number[from] < 0) {
      number[from] = static_cast<int>(chosen.sites.size());
      SiteColumns empty;
      empty.site = columns.site;
      empty.shape = columns.shape;
      empty.value_type = columns.value_type;
      empty.coefficient_type = columns.coefficient_type;
      empty.buffers[0] = buffers_of_site[2 * from];
      empty.buffers[1] = buffers_of_site[2 * from + 1];
      empty.index.resize(columns.index.size());
      empty.coefficients.resize(columns.coefficients.size());
      empty.reads.resize(columns.reads.size());
      empty.writes.resize(columns.writes.size());
      chosen.sites.push_back(std::move(empty));
    }
    SiteColumns& to = chosen.sites[static_cast<std::size_t>(number[from])];
    chosen.item.push_back(block.item[i]);
    chosen.slot.push_back(block.slot[i]);
    chosen.site.push_back(static_cast<std::uint8_t>(number[from]));
    chosen.rank.push_back(to.count++);
    for (std::size_t w = 0; w < columns.index.size(); ++w) to.index[w].push_back(columns.index[w][row]);
    const auto copy = [&](const std::vector<std::vector<std::byte>>& values, std::vector<std::vector<std::byte>>& out,
                          ElementType type) {
      const auto bytes = static_cast<std::ptrdiff_t>(traits(type).bytes);
      for (std::size_t v = 0; v < values.size(); ++v)
        out[v].insert(out[v].end(), values[v].begin() + row * bytes, values[v].begin() + (row + 1) * bytes);
    };
    copy(columns.coefficients, to.coefficients, columns.coefficient_type);
    copy(columns.reads, to.reads, columns.value_type);
    copy(columns.writes, to.writes, columns.value_type);
  }
  if (chosen.sites.size() == 1) {
    chosen.site = {};
    chosen.rank = {};
  }
  return chosen;
}

// Where the element begins, in bytes; an index that went below zero was logged as a large word.
std::uint64_t first_byte(const Access& access) {
  const auto index =
      access.index <= 0xffffffffu && access.index > 0x7fffffffu
          ? static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(access.index)))
          : access.index;
  return index * traits(access.value.type).bytes;
}

// One number that all of the first are the second's times.
bool one_factor(const std::vector<std::complex<double>>& claimed, const std::vector<std::complex<double>>& found) {
  std::optional<std::complex<double>> factor;
  for (std::size_t i = 0; i < claimed.size(); ++i) {
    if (std::abs(found[i]) < 1e-30) {
      if (std::abs(claimed[i]) > 1e-6) return false;
      continue;
    }
    const std::complex<double> now = claimed[i] / found[i];
    if (!factor) factor = now;
    if (std::abs(now - *factor) > 1e-4 * std::max(1.0, std::abs(*factor))) return false;
  }
  return factor && std::isfinite(std::abs(*factor));
}

std::complex<double> number_of(const Value& value) {
  return {value.component(0), traits(value.type).components > 1 ? value.component(1) : 0};
}

}  // namespace

Claims::Claims(const TraceInfo& info, const LaunchInfo& launch, std::span<const AccessLog> logs, bool same_values)
    : info_(info), launch_(launch), logs_(logs), same_values_(same_values) {}

// Records that touch memory: reads, then writes, each by offset.
static void sort_by_place(const AccessLog& log, std::uint64_t begin, std::vector<std::uint32_t>& order) {
  const auto key = [&](std::uint32_t at) {
    return std::tuple(is_write(log.sites[log.site[begin + at]].kind), log.offset[begin + at], at);
  };
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
}

// Makes the item the current one; false where its accesses are not there.
bool Claims::enter(std::uint64_t number) {
  if (item_.log && item_.number == number) return true;
  const auto after = std::upper_bound(logs_.begin(), logs_.end(), number,
                                      [](std::uint64_t n, const AccessLog& log) { return n < log.first_item; });
  if (after == logs_.begin()) return false;
  const AccessLog& log = *std::prev(after);
  if (number - log.first_item >= log.items()) return false;
  item_ = {};
  item_.log = &log;
  item_.number = number;
  item_.begin = log.begin[number - log.first_item];
  item_.end = log.begin[number - log.first_item + 1];
  item_.exchanges = item_.meets_lanes = launch_.accesses.lacks_exchanges();
  for (std::uint64_t k = item_.begin; k < item_.end; ++k) {
    const AccessSite& site = log.sites[log.site[k]];
    if (site.kind == AccessKind::Barrier && site.scope >= MemoryScope::Group) item_.barriers.push_back(k);
    item_.exchanges = item_.exchanges || site.kind == AccessKind::Exchange;
    item_.meets_lanes = item_.meets_lanes || site.kind == AccessKind::Exchange ||
                        (site.kind == AccessKind::Barrier && site.scope < MemoryScope::Group);
    if (touches_memory(site.kind)) item_.order.push_back(static_cast<std::uint32_t>(k - item_.begin));
  }
  sort_by_place(log, item_.begin, item_.order);
  find_copies();
  return true;
}

void Claims::find_copies() {
  const AccessLog& log = *item_.log;
  const std::uint64_t size = std::max<std::uint64_t>(launch_.group_size(), 1), group = item_.number / size;
  if (copies_.log == &log && copies_.group == group) return;
  copies_ = {};
  copies_.log = &log;
  copies_.group = group;
  const auto copies = [](const AccessSite& site) {
    return site.kind == AccessKind::CopyLoad || site.kind == AccessKind::CopyStore;
  };
  if (std::none_of(log.sites.begin(), log.sites.end(), copies)) return;
  const std::uint64_t first = std::max(group * size, log.first_item) - log.first_item;
  copies_.begin = log.begin[first];
  const std::uint64_t end = log.begin[std::min((group + 1) * size - log.first_item, log.items())];
  for (std::uint64_t k = copies_.begin; k < end; ++k)
    if (copies(log.sites[log.site[k]])) copies_.order.push_back(static_cast<std::uint32_t>(k - copies_.begin));
  sort_by_place(log, copies_.begin, copies_.order);
}

// Calls each(record) for the item's reads or writes that hold this byte, in the order in which they begin.
template <typename Each>
static void for_each_holding(const AccessLog& log, std::uint64_t begin, const std::vector<std::uint32_t>& order,
                             bool write, std::uint64_t byte, const Each& each) {
  const std::uint64_t first = byte < 7 ? 0 : byte - 7;
  const auto key = [&](std::uint32_t at) {
    return std::pair(is_write(log.sites[log.site[begin + at]].kind), log.offset[begin + at]);
  };
  auto at = std::lower_bound(
      order.begin(), order.end(), std::pair(write, first),
      [&](std::uint32_t one, const std::pair<bool, std::uint64_t>& wanted) { return key(one) < wanted; });
  for (; at != order.end() && key(*at).first == write && key(*at).second <= byte; ++at) {
    const std::uint64_t record = begin + *at;
    if (byte - log.offset[record] < log.sites[log.site[record]].chunk) each(record);
  }
}

int Claims::epoch_of(std::uint64_t record) const {
  return static_cast<int>(std::lower_bound(item_.barriers.begin(), item_.barriers.end(), record) -
                          item_.barriers.begin());
}

std::vector<int> Claims::buffers_at(const Access& access, bool write) const {
  std::set<int> buffers;
  const auto add = [&](std::uint64_t record) { buffers.insert(item_.log->buffer[record]); };
  for_each_holding(*item_.log, item_.begin, item_.order, write, first_byte(access), add);
  for_each_holding(*item_.log, copies_.begin, copies_.order, write, first_byte(access), add);
  buffers.erase(-1);
  return {buffers.begin(), buffers.end()};
}

// Finds the element among the item's accesses, the one with the claimed value before others, the last of equal ones.
Claims::Match Claims::match(const Access& access, bool write, int buffer) const {
  Match own = match(access, write, buffer, item_.begin, item_.order);
  if (copies_.order.empty() || (own.touched && own.equal)) return own;
  Match engine = match(access, write, buffer, copies_.begin, copies_.order);
  engine.copied = true;
  return engine.touched && (engine.equal || !own.touched) ? engine : own;
}

Claims::Match Claims::match(const Access& access, bool write, int buffer, std::uint64_t begin,
                            const std::vector<std::uint32_t>& order) const {
  const AccessLog& log = *item_.log;
  const std::uint64_t size = traits(access.value.type).bytes, start = first_byte(access);
  Match whole;
  whole.touched = true;
  whole.bytes.resize(size);
  for (std::uint64_t at = 0; at < size;) {
    std::optional<std::uint64_t> best;
    bool best_equal = false;
    int best_rank = -1;
    std::uint64_t best_length = 0;
    for_each_holding(log, begin, order, write, start + at, [&](std::uint64_t record) {
      if (log.buffer[record] != buffer) return;
      const std::uint64_t skip = start + at - log.offset[record];
      const std::uint64_t length = std::min(log.sites[log.site[record]].chunk - skip, size - at);
      const auto* bits = reinterpret_cast<const std::byte*>(&log.value[record]) + skip;
      const bool equal = access.known && std::memcmp(bits, access.value.bits.data() + at, length) == 0;
      // In the epoch that trace barriers say, if they say one; then behind the operation before; the first of these.
      const int rank =
          (equal ? 4 : 0) + (epoch_of(record) == item_.claimed_epoch ? 2 : 0) + (record >= item_.behind ? 1 : 0);
      if (rank <= best_rank) return;
      best = record;
      best_equal = equal;
      best_rank = rank;
      best_length = length;
    });
    if (!best) return {};
    std::memcpy(whole.bytes.data() + at,
                reinterpret_cast<const std::byte*>(&log.value[*best]) + (start + at - log.offset[*best]), best_length);
    whole.equal = whole.equal && best_equal;
    whole.record = std::max(whole.record, *best);
    at += best_length;
  }
  return whole;
}

// A pair of neighbours is in its buffer's bytes as its elements are in its own.
int Claims::memory_of(int buffer) const {
  const BufferInfo* pair = info_.buffer(buffer);
  return pair && pair->is_pair() ? (*pair->parts)[0].buffer : buffer;
}

// The buffer in which most of the elements were touched, with the claimed values if several are possible; the one that the
// trace line names wins a tie.
int Claims::choose_buffer(const SmallList<Access, 4>& accesses, bool write, int named) const {
  std::set<int> candidates;
  if (named >= 0) candidates.insert(named);
  // A line that names memory of all does not mean what an item has for itself at the same offset.
  const auto is_private = [&](int number) {
    const BufferInfo* buffer = info_.buffer(number);
    return buffer && buffer->space == Space::Private;
  };
  for (const Access& access : accesses)
    for (const int buffer : buffers_at(access, write))
      if (named < 0 || is_private(named) || !is_private(buffer)) candidates.insert(buffer);
  int best = named, best_score = -1;
  for (const int buffer : candidates) {
    int score = buffer == named ? 1 : 0;
    for (const Access& access : accesses) {
      const Match found = match(access, write, buffer);
      score += found.touched ? 100 : 0;
      score += found.touched && found.equal ? 10 : 0;
    }
    if (score > best_score) {
      best = buffer;
      best_score = score;
    }
  }
  return best;
}

void Claims::note(int source_line, std::uint64_t item, const Access& access, bool write, const Match& found) {
  const Site* site = nullptr;
  for (const Site& one : info_.sites)
    if (one.line == source_line && one.source == launch_.source) site = &one;
  FalseLine& line = false_lines_[{launch_.source, source_line}];
  ++line.count;
  std::vector<std::uint64_t>& items = line.fault.items;
  if (items.size() < 8 && (items.empty() || items.back() != item)) items.push_back(item);
  if (line.count > 1) return;
  line.fault.kind = Fault::Kind::FalseTraceLine;
  line.fault.line = source_line;
  if (const BufferInfo* buffer = info_.buffer(access.buffer)) line.fault.buffer = buffer->name;
  line.fault.element = static_cast<std::int64_t>(access.index);
  const std::string macro = site ? site->macro : "the trace line";
  const Message does = write ? Message("writes") : Message("reads");
  if (!found.touched) {
    line.fault.sentence = Message("{} says that {} {} {}, and it never does", macro, item_name(info_, item), does,
                                  element_text(info_, access));
    return;
  }
  Value real = access.value;
  std::memcpy(real.bits.data(), found.bytes.data(), found.bytes.size());
  const Compared compared = compared_texts(access.value, real);
  line.fault.sentence = Message("{} says that {} {} {} as {}, and it was {}", macro, item_name(info_, item), does,
                                element_text(info_, access), compared.is, compared.wanted);
}

Claims::Placed Claims::judge(const Operation& op, const SiteColumns& columns, int epoch) {
  Placed placed{epoch, {columns.buffers[0], columns.buffers[1]}};
  if (op.kind == OperationKind::Barrier || !enter(op.item)) return placed;
  item_.claimed_epoch = epoch;
  const ShapeTraits& shape = traits(columns.shape);
  std::optional<std::uint64_t> last, last_written;
  std::vector<std::pair<int, AccessKind>> touched;  // lines and kinds
  bool all_touched = true;
  const auto look = [&](const SmallList<Access, 4>& accesses, bool write, int which) {
    if (accesses.empty() || which < 0) return;
    // An item's own array is registers: no access tells of it, and what has the same offset elsewhere is something else.
    if (const BufferInfo* named = info_.buffer(columns.buffers[which]); named && is_registers(*named)) return;
    const int named_memory = memory_of(columns.buffers[which]);
    const int buffer = choose_buffer(accesses, write, named_memory);
    // As what the line's values are elements of.
    const auto shown = [&] {
      if (buffer == named_memory) return columns.buffers[which];
      const BufferInfo* other = info_.buffer(buffer);
      const bool real = other && traits(other->type).components == 1;
      const int pair = real && columns.buffers[which] != named_memory ? pair_of(info_, buffer, buffer) : -1;
      return pair >= 0 ? pair : buffer;
    };
    std::vector<std::complex<double>> claimed, real;
    std::optional<std::pair<Access, Match>> untouched, different;
    for (Access access : accesses) {
      const Match found = buffer >= 0 ? match(access, write, buffer) : Match();
      access.buffer = buffer >= 0 ? shown() : access.buffer;
      if (!found.touched) {
        all_touched = false;
        if (!untouched) untouched.emplace(access, found);
        continue;
      }
      if (!found.copied && !same_values_) {
        const AccessSite& site = item_.log->sites[item_.log->site[found.record]];
        touched.emplace_back(site.line, site.kind);
      }
      if (!found.copied) last = std::max(last.value_or(0), found.record);
      if (write && !found.copied) last_written = std::max(last_written.value_or(0), found.record);
      if (!access.known || !traits(access.value.type).floating) continue;
      Value value = access.value;
      std::memcpy(value.bits.data(), found.bytes.data(), found.bytes.size());
      claimed.push_back(number_of(access.value));
      real.push_back(number_of(value));
      // Where a sum was rounded in another order the two differ in their last digits.
      const double error = std::abs(claimed.back() - real.back());
      if (!found.equal && !(error <= 1e-4 * std::max(std::abs(claimed.back()), std::abs(real.back()))) && !different)
        different.emplace(access, found);
    }
    if (!untouched && buffer >= 0) placed.buffers[which] = shown();
    // What is moved is what was read, and no sum or product of it that is told of with another factor.
    const bool moved = !write && (op.kind == OperationKind::Move || op.kind == OperationKind::Swap);
    // What an exchange brought another item has read, and an atomic operation one item may do for all.
    if (item_.exchanges && (!write || op.kind == OperationKind::Atomic)) return;
    if (untouched && !same_values_)
      doubts_.push_back({op.line, op.item, untouched->first, write, untouched->second});
    else if (untouched)
      note(op.line, op.item, untouched->first, write, untouched->second);
    else if (different && same_values_ && op.kind != OperationKind::Atomic && (moved || !one_factor(claimed, real)))
      note(op.line, op.item, different->first, write, different->second);
  };
  if (shape.read_buffer >= 0) look(op.reads, false, shape.read_buffer);
  if (shape.write_buffer >= 0) look(op.writes, true, shape.write_buffer);
  if (all_touched && !touched.empty()) stands_for_[op.line].insert(touched.begin(), touched.end());
  // Where a shuffle or a meeting of the lanes is a trace barrier, too, an operation has no other place than the barriers that are
  // told of: one on registers is nowhere else.
  if (item_.meets_lanes && epoch > 0) {
    if (last) item_.behind = std::max(item_.behind, *last);
    return placed;
  }
  // What is said to be read may be what the item has just written, which it need not have read again; a write happened.
  if (last_written) last = last_written;
  if (last) {
    placed.epoch = epoch_of(*last);
    item_.behind = std::max(item_.behind, *last);
  }
  moved_ = moved_ || placed.epoch != epoch;
  return placed;
}

void Claims::place(int epoch, int stage, OperationBlock&& block, const Emit& emit) {
  if (block.barriers) {
    emit(epoch, stage, std::move(block));
    return;
  }
  // Rows by epoch, each with its buffers.
  TraceInfo place_info;  // operation() asks for the segment's place, which is not known yet
  place_info.segments.resize(block.segment + 1);
  place_info.segments[block.segment].launch = launch_.number;
  place_info.segments[block.segment].epoch = epoch;
  place_info.segments[block.segment].stage = stage;
  std::map<int, std::vector<std::uint32_t>> by_epoch;
  std::vector<Placed> placed(block.count);
  Operation op;
  for (std::uint32_t i = 0; i < block.count; ++i) {
    block.operation(place_info, i, op);
    const SiteColumns& columns = block.sites[block.site.empty() ? 0 : block.site[i]];
    const Site* site = info_.site(columns.site);
    op.line = site ? site->line : 0;
    placed[i] = judge(op, columns, epoch);
    by_epoch[placed[i].epoch].push_back(i);
  }
  for (const auto& [now, rows] : by_epoch) {
    // Of one site, rows of other buffers go into a block of their own: blocks know one pair of buffers a site.
    std::vector<std::uint32_t> left = rows;
    while (!left.empty()) {
      std::vector<int> buffers(2 * block.sites.size(), -2);
      std::vector<std::uint32_t> taken, rest;
      for (const std::uint32_t i : left) {
        const std::size_t site = block.site.empty() ? 0 : block.site[i];
        int* own = &buffers[2 * site];
        if (own[0] == -2) {
          own[0] = placed[i].buffers[0];
          own[1] = placed[i].buffers[1];
        }
        const bool same = own[0] == placed[i].buffers[0] && own[1] == placed[i].buffers[1];
        (same ? taken : rest).push_back(i);
      }
      emit(now, stage, select(block, taken, buffers.data()));
      left = std::move(rest);
    }
  }
}

// Whether the item made one of the accesses that the line was found to stand for with others; true where there are none.
bool Claims::came_by(int line, std::uint64_t item) {
  const auto known = stands_for_.find(line);
  if (known == stands_for_.end() || !enter(item)) return true;
  for (std::uint64_t k = item_.begin; k < item_.end; ++k) {
    const AccessSite& site = item_.log->sites[item_.log->site[k]];
    if (known->second.contains({site.line, site.kind})) return true;
  }
  return false;
}

std::vector<Fault> Claims::faults() {
  std::vector<Fault> faults;
  std::set<std::uint64_t> elsewhere;
  for (const Doubt& doubt : doubts_)
    if (came_by(doubt.line, doubt.item))
      note(doubt.line, doubt.item, doubt.access, doubt.write, doubt.found);
    else
      elsewhere.insert(doubt.item);
  went_another_way_ = elsewhere.size();
  doubts_.clear();
  for (const auto& [place, line] : false_lines_) {
    faults.push_back(line.fault);
    if (line.count > 1) faults.back().sentence += Message(" ({} times in this launch)", line.count);
  }
  return faults;
}

}  // namespace twiddle
