#include "viewer/graphs/item_timeline.h"

#include "tracer/print/access_text.h"
#include "viewer/document/flow.h"
#include "viewer/graphs/unexplained.h"

#include <fmt/format.h>

#include <algorithm>

namespace twiddle {
namespace {

constexpr std::uint64_t max_records_timed = 1 << 20;  // of a launch

struct KeptTimelines {
  int launch = 0;
  AccessLog log;  // of that launch
  std::vector<TimedAccess> row;
};

bool only_segment_of_epoch(const TraceInfo& info, const Segment& segment) {
  return std::count_if(info.segments.begin(), info.segments.end(), [&](const Segment& other) {
           return other.launch == segment.launch && other.epoch == segment.epoch;
         }) == 1;
}

bool read_launch(Document& document, int launch, KeptTimelines& kept) {
  if (kept.launch == launch) return true;
  std::uint64_t records = 0;
  for (const AccessEntry& entry : document.trace->access_entries())
    if (entry.launch == launch) records += entry.records;
  if (records == 0 || records > max_records_timed || !document.flow().has_time()) return false;
  kept.log = document.trace->accesses_of(launch);
  kept.launch = launch;
  return true;
}

}  // namespace

std::string place_text(const TraceInfo& info, const TimedAccess& access) {
  const BufferInfo* buffer = info.buffer(access.buffer);
  return buffer ? fmt::format("{}[{}]", buffer->name, access.element) : "?";
}

std::span<const TimedAccess> item_timeline(Document& document, int number, std::uint64_t item) {
  const TraceInfo& info = document.info();
  const Segment& segment = info.segments[static_cast<std::size_t>(number)];
  auto& kept = document.kept<KeptTimelines>();
  kept.row.clear();
  if (!only_segment_of_epoch(info, segment) || !read_launch(document, segment.launch, kept)) return {};
  const AccessLog& log = kept.log;
  if (item < log.first_item || item - log.first_item >= log.items()) return {};
  int epoch = 0;
  std::uint32_t before = 0;  // the record before it, where it may be the same access: its site, from 1
  for (std::uint64_t k = log.begin[item - log.first_item]; k < log.begin[item - log.first_item + 1]; ++k) {
    const AccessSite& site = log.sites[log.site[k]];
    if (!touches_memory(site.kind)) {
      epoch += site.kind == AccessKind::Barrier && site.scope >= MemoryScope::Group;
      before = 0;
      continue;
    }
    if (epoch != segment.epoch) continue;
    const AccessValue value = value_of(info, log, k);
    const TimedAccess access{site.kind, log.buffer[k], value.element};
    const bool more = before == log.site[k] + 1 && !kept.row.empty() && value.component > 0 &&
                      kept.row.back().buffer == access.buffer && kept.row.back().element == access.element;
    if (!more) kept.row.push_back(access);
    before = log.site[k] + 1;
  }
  if (const UnexplainedPlaces* open = unexplained_places(document, number); open && !open->places.empty())
    for (TimedAccess& access : kept.row)
      access.unexplained =
          open->holds({item, is_write(access.kind), access.buffer, static_cast<std::uint32_t>(access.element)});
  return kept.row;
}

}  // namespace twiddle
