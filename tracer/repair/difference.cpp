#include "tracer/repair/difference.h"

#include "tracer/trace/item_words.h"
#include "tracer/trace/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>
#include <utility>

namespace twiddle {
namespace {

constexpr std::size_t named_items = 8;

// The n-th record of an item that touches memory.
std::optional<std::uint64_t> touching(const AccessLog& log, std::uint64_t item, std::uint64_t n) {
  for (std::uint64_t k = log.begin[item]; k < log.begin[item + 1]; ++k)
    if (touches_memory(log.sites[log.site[k]].kind) && n-- == 0) return k;
  return std::nullopt;
}

Message element_text(const TraceInfo& info, const AccessLog& log, std::uint64_t k) {
  const BufferInfo* buffer = info.buffer(log.buffer[k]);
  if (!buffer) return Message("memory that is no buffer");
  const std::uint64_t bytes = std::max<std::uint64_t>(traits(buffer->type).bytes, 1);
  return Message::verbatim(
      fmt::format("{}[{}]", buffer->name, static_cast<std::int64_t>(log.offset[k]) / static_cast<std::int64_t>(bytes)));
}

// What it read or wrote: one number, of a vector too.
Value value_of(const TraceInfo& info, const AccessLog& log, std::uint64_t k) {
  const BufferInfo* buffer = info.buffer(log.buffer[k]);
  Value value;
  value.type = traits(buffer ? buffer->type : log.sites[log.site[k]].type).scalar;
  std::memcpy(value.bits.data(), &log.value[k], std::min(traits(value.type).bytes, sizeof log.value[k]));
  return value;
}

}  // namespace

void describe_difference(const TraceSource& before, const TraceSource& after, Repair& repair) {
  const TraceInfo &one = before.info(), &other = after.info();
  const std::size_t launches = std::min(one.launches.size(), other.launches.size());
  for (std::size_t l = 0; l < launches; ++l) {
    const LaunchInfo& launch = one.launches[l];
    if (!launch.accesses.logged || !other.launches[l].accesses.logged) continue;
    const AccessLog a = before.accesses_of(launch.number), b = after.accesses_of(other.launches[l].number);
    const std::uint64_t items = std::max(a.items(), b.items());
    for (std::uint64_t item = 0; item < items; ++item) {
      if (item >= a.items() || item >= b.items()) {
        if (repair.items.size() < named_items) repair.items.push_back(item);
        if (repair.all_items++ == 0) {
          repair.kind = item < b.items() ? FindingClass::MissingOperation : FindingClass::DuplicateOperation;
          repair.effect =
              Message("launch {} has {} where {} are right", launch.number, item_count(one, a.items()), b.items());
        }
        continue;
      }
      std::uint64_t n = 0;
      std::optional<std::uint64_t> x, y;
      bool same = false;
      for (;; ++n) {
        x = touching(a, item, n);
        y = touching(b, item, n);
        same = !x && !y;
        if (!x || !y) break;
        const AccessSite &s = a.sites[a.site[*x]], &t = b.sites[b.site[*y]];
        if (s.kind != t.kind || s.line != t.line || a.buffer[*x] != b.buffer[*y] || a.offset[*x] != b.offset[*y]) break;
        if (is_write(s.kind) && a.value[*x] != b.value[*y]) break;
      }
      if (same) continue;
      if (repair.items.size() < named_items) repair.items.push_back(item);
      if (repair.all_items++ > 0) continue;
      const Compared values = x && y ? compared_texts(value_of(one, a, *x), value_of(other, b, *y)) : Compared();
      const auto does = [&](const TraceInfo& info, const AccessLog& log, const std::optional<std::uint64_t>& k,
                            const std::string& compared) {
        if (!k) return Message("ends");
        if (!is_write(log.sites[log.site[*k]].kind)) return Message("reads {}", element_text(info, log, *k));
        return Message("writes {} to {}", compared.empty() ? value_text(value_of(info, log, *k)) : compared,
                       element_text(info, log, *k));
      };
      repair.kind = FindingClass::WrongValue;
      if (!x)
        repair.kind = FindingClass::MissingOperation;
      else if (!y)
        repair.kind = FindingClass::DuplicateOperation;
      else if (a.offset[*x] != b.offset[*y] || a.buffer[*x] != b.buffer[*y])
        repair.kind = FindingClass::WrongPartner;
      repair.effect = Message("{} {} where it {}", item_name(one, item), does(one, a, x, values.is),
                              y ? Message("then {}", does(other, b, y, values.wanted)) : Message("is then done"));
    }
    if (repair.all_items > 0) {
      repair.launch = launch.number;
      repair.stage = launch.stage;
      return;
    }
  }
  if (other.launches.size() != one.launches.size()) {
    repair.kind =
        other.launches.size() > one.launches.size() ? FindingClass::MissingOperation : FindingClass::DuplicateOperation;
    repair.launch = static_cast<int>(launches);
    repair.effect = Message("the plan has {} launches where {} are right", one.launches.size(), other.launches.size());
  }
}

namespace {

// What touches memory: lines, by source, and how many items do.
struct Active {
  std::set<std::pair<int, int>> lines;
  std::uint64_t items = 0;
};
Active active_in(const AccessLog& log) {
  Active all;
  for (std::uint64_t item = 0; item < log.items(); ++item) {
    bool any = false;
    for (std::uint64_t k = log.begin[item]; k < log.begin[item + 1]; ++k) {
      const AccessSite& site = log.sites[log.site[k]];
      if (!touches_memory(site.kind) || site.line == 0) continue;
      any = true;
      all.lines.insert({site.source, site.line});
    }
    all.items += any ? 1 : 0;
  }
  return all;
}

}  // namespace

bool leaves_idle(const TraceSource& before, const TraceSource& after, const std::string& source, int but) {
  const TraceInfo &one = before.info(), &other = after.info();
  if (one.launches.size() != other.launches.size()) return false;
  std::set<std::pair<int, int>> was, is;
  for (std::size_t l = 0; l < one.launches.size(); ++l) {
    if (!one.launches[l].accesses.logged || !other.launches[l].accesses.logged) return false;
    const Active a = active_in(before.accesses_of(one.launches[l].number));
    const Active b = active_in(after.accesses_of(other.launches[l].number));
    if (2 * b.items < a.items) return true;
    was.insert(a.lines.begin(), a.lines.end());
    is.insert(b.lines.begin(), b.lines.end());
  }
  return std::any_of(was.begin(), was.end(), [&](const std::pair<int, int>& line) {
    const bool own = one.sources[static_cast<std::size_t>(line.first)].name == source && line.second == but;
    return !own && !is.count(line);
  });
}

}  // namespace twiddle
