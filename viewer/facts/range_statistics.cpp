#include "viewer/facts/range_statistics.h"

#include "base/message.h"
#include "tracer/trace/item_words.h"
#include "viewer/document/item_activity.h"
#include "viewer/words/twiddle_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace twiddle {

RangeStatistics range_statistics(Document& document, const TraceFacts& facts, std::uint64_t first, std::uint64_t last) {
  const TraceInfo& info = document.info();
  if (first > last) std::swap(first, last);
  RangeStatistics sums;
  sums.first = std::clamp<std::uint64_t>(first, 1, std::max<std::uint64_t>(info.steps, 1));
  sums.last = std::clamp<std::uint64_t>(last, 1, std::max<std::uint64_t>(info.steps, 1));
  if (info.steps == 0) return sums;
  sums.operations = sums.last - sums.first + 1;
  for (std::size_t s = 0; s < info.segments.size(); ++s) {
    const Segment& segment = info.segments[s];
    if (segment.count == 0 || segment.first_step > sums.last || segment.end_step() <= sums.first) continue;
    ++sums.segments;
    if (segment.first_step < sums.first || segment.end_step() - 1 > sums.last) continue;
    const ItemActivity* activity = item_activity(document, static_cast<int>(s));
    if (!activity) {
      sums.complete = false;
      continue;
    }
    const ItemActivity::Totals totals = activity->totals();
    sums.active += totals.active, sums.lanes += totals.lanes;
    sums.diverged += totals.diverged, sums.sub_groups += totals.sub_groups;
  }
  if (sums.sub_groups > 0)
    sums.said_sub_groups =
        tr("{} of {} {} diverge", count_text(sums.diverged), count_text(sums.sub_groups), all_lanes_noun(info));
  for (const TraceNote& note : facts.notes) {
    if (note.step < sums.first || note.step > sums.last) continue;
    ++sums.findings[static_cast<std::size_t>(note.severity)];
    ++sums.classes[note.title.translated()];
  }
  return sums;
}

std::vector<std::string> range_text(const RangeStatistics& sums) {
  std::vector<std::string> lines{tr("steps {} to {}", count_text(sums.first), count_text(sums.last)),
                                 plural(sums.operations, "{} operation", "{} operations") + " · " +
                                     plural(sums.segments, "in {} stage", "in {} stages")};
  if (sums.lanes > 0)
    lines.push_back(tr("{} of {} lanes issued are busy: {:.0f} %", count_text(sums.active), count_text(sums.lanes),
                       100 * double(sums.active) / double(sums.lanes)));
  if (!sums.said_sub_groups.empty()) lines.push_back(sums.said_sub_groups);
  if (!sums.complete) lines.push_back(tr("Not all stages have been read yet."));
  std::string found;
  for (const auto& [name, count] : sums.classes)
    found += (found.empty() ? "" : ", ") + name + (count > 1 ? fmt::format(" ×{}", count) : "");
  lines.push_back(found.empty() ? tr("no finding begins here") : found);
  return lines;
}

}  // namespace twiddle
