#include "tracer/trace/trace_source.h"

#include <algorithm>
#include <utility>

namespace twiddle {

std::vector<std::byte> TraceSource::first_content(int buffer) const {
  const BufferInfo& info = info_.buffers.at(static_cast<std::size_t>(buffer));
  std::vector<std::byte> all(info.count * traits(info.type).bytes);
  for (std::size_t p = 0; info.parts && p < info.parts->size(); ++p) {
    const BufferPart& part = (*info.parts)[p];
    const std::vector<std::byte> from = first_content(part.buffer);
    const std::size_t bytes = traits(info.type).bytes / 2;
    for (std::uint64_t i = 0; i < info.count; ++i)
      std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(part.at(i) * bytes), bytes,
                  all.begin() + static_cast<std::ptrdiff_t>((2 * i + p) * bytes));
  }
  for_each_content(buffer, [&](std::uint64_t first, std::span<const std::byte> bytes) {
    std::copy(bytes.begin(), bytes.end(), all.begin() + static_cast<std::ptrdiff_t>(first));
  });
  return all;
}

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
