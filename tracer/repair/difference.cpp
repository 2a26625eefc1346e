#include "tracer/repair/difference.h"

#include "tracer/trace/item_words.h"
#include "tracer/trace/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

namespace twiddle {
namespace {

constexpr std::size_t named_items = 8;

// The n-th record of an item that touches memory.
std::optional<std::uint64_t> touching(const AccessLog& log, std::uint64_t item, std::uint64_t n) {
  for (std::uint64_t k = log.begin[item]; k < log.begin[item + 1]; ++k)
    if (touches_memory(log.sites[log.site[k]].kind) && n-- == 0) return k;
  return std::nullopt;
}

std::string element_text(const TraceInfo& info, const AccessLog& log, std::uint64_t k) {
  const BufferInfo* buffer = info.buffer(log.buffer[k]);
  if (!buffer) return "memory that is no buffer";
  const std::uint64_t bytes = std::max<std::uint64_t>(traits(buffer->type).bytes, 1);
  return fmt::format("{}[{}]", buffer->name,
                     static_cast<std::int64_t>(log.offset[k]) / static_cast<std::int64_t>(bytes));
}

std::string value_text(const TraceInfo& info, const AccessLog& log, std::uint64_t k) {
  const AccessSite& site = log.sites[log.site[k]];
  const BufferInfo* buffer = info.buffer(log.buffer[k]);
  const ElementTraits& type = traits(buffer ? buffer->type : site.type);
  if (type.floating) {
    if (type.wide) {
      double number = 0;
      std::memcpy(&number, &log.value[k], sizeof number);
      return fmt::format("{:.4g}", number);
    }
    const auto word = static_cast<std::uint32_t>(log.value[k]);
    float number = 0;
    std::memcpy(&number, &word, sizeof number);
    return fmt::format("{:.4g}", number);
  }
  return fmt::format("{}", static_cast<std::int64_t>(site.chunk <= 4 ? static_cast<std::int32_t>(log.value[k])
                                                                     : static_cast<std::int64_t>(log.value[k])));
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
          repair.effect = fmt::format("launch {} has {} where {} are right", launch.number,
                                      item_count(one, a.items()).english(), b.items());
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
      const auto does = [&](const TraceInfo& info, const AccessLog& log, const std::optional<std::uint64_t>& k) {
        if (!k) return std::string("ends");
        const bool write = is_write(log.sites[log.site[*k]].kind);
        return write ? fmt::format("writes {} to {}", value_text(info, log, *k), element_text(info, log, *k))
                     : fmt::format("reads {}", element_text(info, log, *k));
      };
      repair.kind = FindingClass::WrongValue;
      if (!x)
        repair.kind = FindingClass::MissingOperation;
      else if (!y)
        repair.kind = FindingClass::DuplicateOperation;
      else if (a.offset[*x] != b.offset[*y] || a.buffer[*x] != b.buffer[*y])
        repair.kind = FindingClass::WrongPartner;
      repair.effect = fmt::format("{} {} where it {}", item_name(one, item).english(), does(one, a, x),
                                  y ? fmt::format("then {}", does(other, b, y)) : std::string("is then done"));
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
    repair.effect =
        fmt::format("the plan has {} launches where {} are right", one.launches.size(), other.launches.size());
  }
}

}  // namespace twiddle
