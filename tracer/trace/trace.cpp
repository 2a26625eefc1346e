#include "tracer/trace/trace.h"

#include <fmt/format.h>

#include <algorithm>

namespace twiddle {
namespace {

using Triple = std::array<std::size_t, 3>;

// The coordinates of a flat number in a box, dimension 0 fastest. Empty dimensions count as one.
Triple unflatten(std::uint64_t number, const Triple& box) {
  Triple place{};
  for (std::size_t d = 0; d < 3; ++d) {
    const std::uint64_t side = box[d] ? box[d] : 1;
    place[d] = static_cast<std::size_t>(d == 2 ? number : number % side);
    number /= side;
  }
  return place;
}

Triple group_counts(const LaunchInfo& launch) {
  Triple counts{};
  for (std::size_t d = 0; d < 3; ++d)
    counts[d] = launch.local[d] ? launch.global[d] / launch.local[d] : launch.global[d];
  return counts;
}

}  // namespace

bool is_exchange(const BufferInfo& buffer) {
  return buffer.space == Space::Local && buffer.name.find('@') != std::string::npos;
}

int bank_of(const BufferInfo& buffer, std::uint64_t element) {
  return static_cast<int>(element * (traits(buffer.type).bytes / bank_bytes) % bank_count);
}

Triple LaunchInfo::group_id(std::uint64_t item) const {
  const std::uint64_t size = group_size();
  return unflatten(size ? item / size : item, group_counts(*this));
}

Triple LaunchInfo::local_id(std::uint64_t item) const {
  const std::uint64_t size = group_size();
  return unflatten(size ? item % size : 0, local);
}

Triple LaunchInfo::global_id(std::uint64_t item) const {
  const Triple group = group_id(item), inside = local_id(item);
  Triple id{};
  for (std::size_t d = 0; d < 3; ++d) id[d] = offset[d] + group[d] * (local[d] ? local[d] : 1) + inside[d];
  return id;
}

const LaunchInfo* TraceInfo::launch(int number) const {
  if (const LaunchInfo* likely = numbered(launches, number - 1); likely && likely->number == number) return likely;
  for (const LaunchInfo& one : launches)
    if (one.number == number) return &one;
  return nullptr;
}

int TraceInfo::buffer_named(std::string_view name) const {
  for (std::size_t b = 0; b < buffers.size(); ++b)
    if (buffers[b].launch == 0 && buffers[b].name == name) return static_cast<int>(b);
  return -1;
}

int TraceInfo::source_named(std::string_view name) const {
  for (std::size_t s = 0; s < sources.size(); ++s)
    if (sources[s].name == name) return static_cast<int>(s);
  return -1;
}

std::size_t TraceInfo::segment_of(std::uint64_t step) const {
  const auto found = std::partition_point(segments.begin(), segments.end(),
                                          [&](const Segment& segment) { return segment.end_step() <= step; });
  return static_cast<std::size_t>(found - segments.begin());
}

Dialect TraceInfo::dialect() const {
  const bool cuda = std::any_of(sources.begin(), sources.end(),
                                [](const SourceText& source) { return source.name.ends_with(".cu"); });
  return cuda || runtime == "cuda" ? Dialect::Cuda : Dialect::OpenCL;
}

std::uint64_t TraceInfo::attempted() const {
  std::uint64_t sum = 0;
  for (const LaunchInfo& launch : launches) sum += launch.attempted;
  return sum;
}

std::uint64_t TraceInfo::kept() const {
  std::uint64_t sum = 0;
  for (const LaunchInfo& launch : launches) sum += launch.kept;
  return sum;
}

std::int64_t shown_index(std::uint64_t index, std::uint64_t count) {
  return index >= count && index > 0x7fffffffu && index <= 0xffffffffu ? static_cast<std::int32_t>(index)
                                                                       : static_cast<std::int64_t>(index);
}

std::string element_text(const TraceInfo& info, const Access& access) {
  const BufferInfo* buffer = info.buffer(access.buffer);
  return buffer ? fmt::format("{}[{}]", buffer->name, shown_index(access.index, buffer->count))
                : fmt::format("?[{}]", access.index);
}

}  // namespace twiddle
