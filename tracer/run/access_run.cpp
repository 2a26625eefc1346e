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

AccessRequest AccessRun::request_of(const Window& window) const {
  AccessRequest request;
  request.first_item = window.first;
  request.items = window.items;
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

  std::vector<int> buffers;
  for (const AccessRange& range : raw.ranges) buffers.push_back(traced.buffer_of(range));
  AccessLog log = resolve(std::move(raw), window.group_size, buffers);
  window.first += window.items;
  window.items = std::min(window.items, window.end - window.first);
  if (!totals.keep(log, options_.max_accesses)) return;
  number_sites(log, info_, sink_, [&](const std::string& file) { return source_named(info_.launches[launch], file); });
  logged.logs.push_back(std::move(log));
}

int AccessRun::source_named(const LaunchInfo& launch, const std::string& file) const {
  if (!file.empty())
    for (std::size_t s = 0; s < info_.sources.size(); ++s)
      if (info_.sources[s].name == file) return static_cast<int>(s);
  return launch.source;
}

}  // namespace twiddle
