#include "tracer/trace/trace_source.h"

#include <cstring>

namespace twiddle {

std::vector<std::byte> TraceSource::first_content(int buffer) const {
  const BufferInfo& info = info_.buffers.at(static_cast<std::size_t>(buffer));
  std::vector<std::byte> all(info.count * traits(info.type).bytes);
  for_each_content(buffer, [&](std::uint64_t first, std::span<const std::byte> bytes) {
    std::memcpy(all.data() + first, bytes.data(), bytes.size());
  });
  return all;
}

void TraceSource::for_each_accesses(int launch, const std::function<bool(const AccessLog&)>& each) const {
  for (const AccessEntry& entry : access_entries_)
    if (entry.launch == launch && !each(accesses(entry))) return;
}

}  // namespace twiddle
