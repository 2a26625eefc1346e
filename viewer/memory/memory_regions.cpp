#include "viewer/memory/memory_regions.h"

#include "tracer/checks/access.h"
#include "tracer/trace/memory/pairs.h"
#include "viewer/document/request.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace twiddle {
namespace {

constexpr float region_gap = 14;  // between regions

constexpr float min_value_row = 22, region_line_height = 14, parts_height = 34;
constexpr float highest_row = 160, row_to_width = 0.8f;
constexpr float min_type = 11, max_type = 18;
constexpr std::size_t max_regions = 4;

/// Least widths for a value beside its edges: whole, and of a complex one its parts below each other.
float whole_width(const BufferInfo& buffer) {
  const ElementTraits& type = traits(buffer.type);
  return type.components > 1 ? 96.0f : type.floating ? 52.0f : 22.0f;
}
constexpr float parts_width = 44;

RowLayout layout_of(const BufferInfo& buffer, std::uint64_t row_bytes, float width, float height) {
  RowLayout made;
  made.row_bytes = row_bytes;
  made.per_row = elements_per_row(buffer, row_bytes);
  made.rows = rows_of(buffer, row_bytes);
  const float cell = width / static_cast<float>(made.per_row);
  made.max_pitch = std::max(usual_row, std::min(highest_row, row_to_width * cell));
  made.pitch = std::min(made.max_pitch, height / static_cast<float>(made.rows));
  made.readable = values_fit(buffer, cell, made.pitch);
  return made;
}

constexpr std::array row_sizes{max_row_bytes, max_row_bytes / 2, max_row_bytes / 4};

}  // namespace

std::uint64_t elements_per_row(const BufferInfo& buffer, std::uint64_t row_bytes) {
  return std::max<std::uint64_t>(1, std::min(buffer.count, row_bytes / traits(buffer.type).bytes));
}

std::uint64_t rows_of(const BufferInfo& buffer, std::uint64_t row_bytes) {
  const std::uint64_t per_row = elements_per_row(buffer, row_bytes);
  return std::max<std::uint64_t>(1, (buffer.count + per_row - 1) / per_row);
}

std::vector<Region> touched_regions(const TraceInfo& info, const std::optional<Operation>& now) {
  std::vector<Region> regions;
  const LaunchInfo* launch = now ? info.launch(now->launch) : nullptr;
  const auto add = [&](int number) {
    const BufferInfo* buffer = info.buffer(number);
    if (!buffer) return;
    const Region region{number, is_local(*buffer) && launch ? launch->group_of(now->item) : 0};
    if (std::find(regions.begin(), regions.end(), region) == regions.end() && regions.size() < 2)
      regions.push_back(region);
  };
  if (now) {
    for (const Access& read : now->reads) add(read.buffer);
    for (const Access& write : now->writes) add(write.buffer);
  }
  if (regions.empty()) add(info.buffer_named(info.expect.input));
  for (std::size_t b = 0; b < info.buffers.size() && regions.empty(); ++b)
    if (!is_local(info.buffers[b])) add(static_cast<int>(b));
  return regions;
}

std::vector<Region> regions_in(const TraceInfo& info, std::vector<Region> touched, float height, float title_height) {
  std::vector<Region> regions = std::move(touched);
  float used = 0;
  const auto needed = [&](const Region& region) {
    const BufferInfo& buffer = info.buffers[region.buffer];
    return title_height + region_gap + static_cast<float>(rows_of(buffer)) * comfortable_row;
  };
  for (const Region& region : regions) used += needed(region);
  // One more, before or behind those that are there; false when it does not fit.
  const auto take = [&](const Region& region, bool before) {
    if (std::find(regions.begin(), regions.end(), region) != regions.end()) return true;
    if (regions.size() >= max_regions || used + needed(region) > height) return false;
    used += needed(region);
    regions.insert(before ? regions.begin() : regions.end(), region);
    return true;
  };
  if (regions.size() == 1 && is_local(info.buffers[regions[0].buffer])) {
    const Region own = regions[0];
    const LaunchInfo* launch = info.launch(info.buffers[own.buffer].launch);
    const std::uint64_t groups = launch ? launch->groups() : 1;
    for (std::uint64_t distance = 1; distance < max_regions; ++distance) {
      if (own.group + distance < groups && !take({own.buffer, own.group + distance}, false)) break;
      if (own.group >= distance && !take({own.buffer, own.group - distance}, true)) break;
    }
  }
  for (std::size_t b = 0; b < info.buffers.size(); ++b)
    if (!is_local(info.buffers[b]) && !info.buffers[b].is_pair() && info.buffers[b].count > 0 &&
        !take({static_cast<int>(b), 0}, false))
      break;
  return regions;
}

bool values_fit(const BufferInfo& buffer, float width, float height) {
  if (width >= whole_width(buffer) && height >= min_value_row) return true;
  return traits(buffer.type).components > 1 && width >= parts_width && height >= parts_height;
}

float element_type_size(float width, float height) {
  return std::floor(std::clamp(std::min(height * 0.16f, width / 8.5f), min_type, max_type));
}

RowLayout row_layout(const BufferInfo& buffer, float width, float height) {
  std::optional<RowLayout> best;
  std::tuple<int, float, float> most;
  for (const std::uint64_t bytes : row_sizes) {
    const RowLayout one = layout_of(buffer, bytes, width, height);
    const float cell = width / static_cast<float>(one.per_row);
    // Whether there is a line for the writer, too; then the larger type; then the fuller pane.
    const int said = !one.readable ? 0 : values_fit(buffer, cell, one.pitch - region_line_height) ? 2 : 1;
    const std::tuple<int, float, float> merit{said, element_type_size(cell, one.pitch),
                                              static_cast<float>(one.rows) * one.pitch};
    if (!best || merit > most) best = one, most = merit;
    if (is_local(buffer) && one.readable) break;  // all banks side by side, if they can be read
  }
  if (best->readable) return *best;
  // No value can be read now. What is zoomed into will be, if its elements are wide enough.
  if (const auto wide = wide_layout(buffer, width)) {
    RowLayout made = layout_of(buffer, wide->row_bytes, width, height);
    made.readable = false;
    return made;
  }
  return layout_of(buffer, max_row_bytes, width, height);
}

std::optional<RowLayout> wide_layout(const BufferInfo& buffer, float width) {
  for (const std::uint64_t bytes : row_sizes) {
    const RowLayout one = layout_of(buffer, bytes, width, 1e9f);
    if (values_fit(buffer, width / static_cast<float>(one.per_row), comfortable_row)) return one;
  }
  return {};
}

}  // namespace twiddle
