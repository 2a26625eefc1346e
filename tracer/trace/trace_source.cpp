#include "tracer/trace/trace_source.h"

#include <utility>

namespace twiddle {

AccessLog TraceSource::accesses_of(int launch) const {
  AccessLog all;
  all.begin = {0};
  for (const AccessEntry& entry : access_entries_) {
    if (entry.launch != launch) continue;
    AccessLog part = accesses(entry);
    if (all.items() == 0) all.first_item = part.first_item;
    // Items between two entries made none that were kept.
    while (all.first_item + all.items() < part.first_item) all.begin.push_back(all.begin.back());
    const std::uint64_t before = all.size();
    for (std::uint64_t i = 0; i < part.items(); ++i) all.begin.push_back(before + part.begin[i + 1]);
    all.sites = std::move(part.sites);
    all.site.insert(all.site.end(), part.site.begin(), part.site.end());
    all.buffer.insert(all.buffer.end(), part.buffer.begin(), part.buffer.end());
    all.offset.insert(all.offset.end(), part.offset.begin(), part.offset.end());
    all.value.insert(all.value.end(), part.value.begin(), part.value.end());
  }
  return all;
}

}  // namespace twiddle
