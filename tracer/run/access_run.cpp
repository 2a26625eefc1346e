#include "tracer/run/access_run.h"

#include "tracer/run/launch_operations.h"

#include <algorithm>
#include <utility>

namespace twiddle {

AccessRun::Window AccessRun::first_window(std::size_t launch, const TracedLaunch& traced) const {
  const LaunchInfo& info = info_.launches[launch];
  Window window;
  window.group_size = std::max<std::uint64_t>(info.group_size(), 1);
  // Whole groups: checks follow them from barrier to barrier.
  window.first = traced.filter.first_item / window.group_size * window.group_size;
  window.end = std::min<std::uint64_t>(traced.filter.last_item + 1, info.items());
  window.items = window.end - std::min(window.first, window.end);
  return window;
}

AccessRequest AccessRun::request_of(std::uint64_t first_item, std::uint64_t items) const {
  AccessRequest request;
  request.first_item = first_item;
  request.items = items;
  request.max_bytes = std::max<std::size_t>(options_.window_bytes, std::size_t(1) << 16);
  return request;
}

void AccessRun::keep(std::size_t launch, const TracedLaunch& traced, RawAccesses&& raw, bool stopped, Window& window,
                     LaunchAccesses& logged) {
  // Half as many items, in whole groups where more than one is left, until they fit.
  if (raw.lost > 0 && window.items > 1 && !stopped) {
    std::uint64_t fewer = window.items / 2;
    if (fewer > window.group_size) fewer -= fewer % window.group_size;
    window.items = fewer;
    return;
  }
  AccessTotals& totals = logged.totals;
  totals.logged = true;
  totals.lost += raw.lost;
  logged.device_ns += raw.device_ns;
  ++logged.windows;
  if (logged.windows == 1) totals.unlogged = raw.unlogged;

  AccessLog log = resolved(traced, std::move(raw), window.group_size);
  window.first += window.items;
  window.items = std::min(window.items, window.end - window.first);
  if (!totals.keep(log, options_.max_accesses)) return;
  number_sites(log, info_, sink_, [&](const std::string& file) { return source_named(info_.launches[launch], file); });
  logged.logs.push_back(std::move(log));
}

std::optional<AccessLog> AccessRun::once_more(std::size_t launch, const TracedLaunch& traced, std::uint64_t first_item,
                                              std::uint64_t items) {
  RawAccesses raw = run_.run_logged(run_.plan().launches[launch], request_of(first_item, items));
  if (raw.lost > 0) return {};
  AccessLog log = resolved(traced, std::move(raw), std::max<std::uint64_t>(info_.launches[launch].group_size(), 1));
  number_sites(log, info_, sink_, [&](const std::string& file) { return source_named(info_.launches[launch], file); });
  return log;
}

AccessLog AccessRun::resolved(const TracedLaunch& traced, RawAccesses&& raw, std::uint64_t group_size) const {
  std::vector<int> buffers;
  for (const AccessRange& range : raw.ranges) buffers.push_back(traced.buffer_of(range));
  return resolve(std::move(raw), group_size, buffers);
}

int AccessRun::source_named(const LaunchInfo& launch, const std::string& file) const {
  const int found = file.empty() ? -1 : info_.source_named(file);
  return found >= 0 ? found : launch.source;
}

}  // namespace twiddle
