// Blocks that no kernel would log: every shape, type and buffer, several trace lines at once, and values that are any bits
// at all. What the codec must give back exactly.
#pragma once

#include "tracer/trace/block.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

namespace twiddle::synthetic {

/// Three global buffers of different types and two local arrays.
inline std::vector<BufferInfo> some_buffers() {
  const auto buffer = [](const char* name, ElementType type, std::uint64_t count, Space space) {
    BufferInfo info;
    info.name = name;
    info.type = type;
    info.count = count;
    info.shape = {count};
    info.space = space;
    info.launch = space == Space::Local ? 1 : 0;
    return info;
  };
  return {buffer("x", ElementType::Float2, 300, Space::Global), buffer("n", ElementType::Int, 100, Space::Global),
          buffer("d", ElementType::Double2, 64, Space::Constant), buffer("tile", ElementType::Float2, 16, Space::Local),
          buffer("bins", ElementType::UInt, 8, Space::Local)};
}

inline TraceInfo some_trace() {
  TraceInfo info;
  info.buffers = some_buffers();
  info.sources = {{"k.cl", ""}};
  for (int line = 1; line <= 4; ++line) info.sites.push_back({0, line, line, "TRACE", {"x", "y"}});
  LaunchInfo launch;
  launch.number = 1;
  launch.global[0] = 64;
  launch.local[0] = 8;
  info.launches = {launch};
  Segment segment;
  segment.launch = 1;
  segment.first_step = 1;
  info.segments = {segment};
  return info;
}

class RandomBlocks {
 public:
  explicit RandomBlocks(std::uint64_t seed) : random_(seed) {}

  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }

  // One that a trace's values can have.
  ElementType any_type() {
    ElementType type{};
    do type = static_cast<ElementType>(below(element_type_count));
    while (traits(type).bytes > sizeof(Value::bits));
    return type;
  }

  OperationBlock block(const TraceInfo& info, std::uint32_t largest = 300) {
    OperationBlock block;
    block.count = 1 + below(largest);
    const std::uint32_t sites = std::min(block.count, 1 + below(3));
    const bool regular = below(2) == 0;  // one operation an item, or any number of them
    std::uint32_t item = below(4), slot = 0;
    std::vector<std::uint32_t> next(sites, 0);
    for (std::uint32_t i = 0; i < block.count; ++i) {
      block.item.push_back(item);
      block.slot.push_back(slot++);
      const auto site = i < sites ? i : below(sites);  // every site has an operation
      if (sites > 1) {
        block.site.push_back(static_cast<std::uint8_t>(site));
        block.rank.push_back(next[site]);
      }
      ++next[site];
      if (regular || below(3) == 0) item += 1 + below(2), slot = 0;
    }
    for (std::uint32_t s = 0; s < sites; ++s) block.sites.push_back(site(info, next[s]));
    return block;
  }

 private:
  SiteColumns site(const TraceInfo& info, std::uint32_t count) {
    SiteColumns columns;
    columns.site = static_cast<int>(below(static_cast<std::uint32_t>(info.sites.size() + 1))) - 1;
    do columns.shape = static_cast<Shape>(below(shape_count));
    while (traits(columns.shape).kind == OperationKind::Barrier);
    if (below(4) == 0)
      columns.shape = shape_with({static_cast<int>(2 + below(max_legs - 1)), below(2) == 0, below(2) == 0});
    const ShapeTraits& shape = traits(columns.shape);
    columns.value_type = any_type();
    columns.coefficient_type = below(3) == 0 ? any_type() : columns.value_type;
    for (int& buffer : columns.buffers)
      buffer = static_cast<int>(below(static_cast<std::uint32_t>(info.buffers.size() + 1))) - 1;
    columns.count = count;
    for (int word = 0; word < shape.index_words; ++word) columns.index.push_back(numbers(count));
    const std::size_t coefficient = traits(columns.coefficient_type).bytes, value = traits(columns.value_type).bytes;
    for (int c = 0; c < shape.coefficients; ++c) columns.coefficients.push_back(bytes(count, coefficient));
    for (int r = 0; r < shape.reads; ++r) columns.reads.push_back(bytes(count, value));
    for (int w = 0; w < shape.writes; ++w) columns.writes.push_back(bytes(count, value));
    return columns;
  }

  // Indices: a line, a line with exceptions, or anything.
  std::vector<std::uint32_t> numbers(std::uint32_t count) {
    const std::uint32_t how = below(4), base = below(50), step = below(4);
    std::vector<std::uint32_t> column;
    for (std::uint32_t i = 0; i < count; ++i)
      column.push_back(how == 3                                   ? static_cast<std::uint32_t>(random_())
                       : how == 2 || (how == 1 && below(20) == 0) ? below(80)
                                                                  : base + step * i);
    return column;
  }

  // Values: any bits, small numbers, or the extremes of floating point.
  std::vector<std::byte> bytes(std::uint32_t count, std::size_t element) {
    std::vector<std::byte> column(count * element);
    const std::uint32_t how = below(3);
    for (std::size_t at = 0; at + 4 <= column.size(); at += 4) {
      static constexpr std::uint32_t extremes[] = {0,          0x80000000, 0x7f800000, 0xff800000,
                                                   0x7fc00000, 0xffc12345, 0x7f800001, 0x00000001,
                                                   0x807fffff, 0x7f7fffff, 0x3f800000, 0x7FC0DEAD};
      const float small = static_cast<float>(below(5)) - 2;
      std::uint32_t word = static_cast<std::uint32_t>(random_());
      if (how == 1) std::memcpy(&word, &small, 4);
      if (how == 2) word = extremes[below(std::size(extremes))];
      std::memcpy(column.data() + at, &word, 4);
    }
    return column;
  }

  std::mt19937_64 random_;
};

inline bool same(const SiteColumns& a, const SiteColumns& b) {
  return a.site == b.site && a.shape == b.shape && a.value_type == b.value_type &&
         a.coefficient_type == b.coefficient_type && std::equal(a.buffers, a.buffers + 2, b.buffers) &&
         a.count == b.count && a.index == b.index && a.coefficients == b.coefficients && a.reads == b.reads &&
         a.writes == b.writes;
}

inline bool same(const OperationBlock& a, const OperationBlock& b) {
  return a.count == b.count && a.barriers == b.barriers && a.item == b.item && a.slot == b.slot && a.site == b.site &&
         a.rank == b.rank &&
         std::equal(a.sites.begin(), a.sites.end(), b.sites.begin(), b.sites.end(),
                    [](const SiteColumns& x, const SiteColumns& y) { return same(x, y); });
}

}  // namespace twiddle::synthetic
