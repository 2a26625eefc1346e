#include "tracer/trace/memory/apply.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace twiddle {

bool adds(const SiteColumns& columns) {
  return columns.shape == Shape::Atomic && columns.coefficient_type == columns.value_type;
}

ReplayMemory::Rows rows_of(const SiteColumns& columns, const std::uint32_t* item, std::uint32_t first,
                           std::uint32_t count) {
  const ShapeTraits& shape = traits(columns.shape);
  ReplayMemory::Rows rows;
  rows.count = count;
  rows.size = traits(columns.value_type).bytes;
  rows.item = item;
  if (shape.read_buffer >= 0) rows.read_buffer = columns.buffers[shape.read_buffer];
  if (shape.write_buffer >= 0) rows.write_buffer = columns.buffers[shape.write_buffer];
  rows.reads = shape.reads;
  rows.writes = shape.writes;
  for (std::size_t r = 0; r < std::size_t(shape.reads); ++r)
    rows.read_index[r] = columns.index[shape.read_index[r]].data() + first;
  for (std::size_t w = 0; w < std::size_t(shape.writes); ++w) {
    rows.write_index[w] = columns.index[shape.write_index[w]].data() + first;
    rows.write_in[w] = columns.writes.empty() ? nullptr : columns.writes[w].data() + std::size_t(first) * rows.size;
  }
  return rows;
}

void apply(const OperationBlock& block, std::uint32_t first, std::uint32_t last, ReplayMemory& memory) {
  if (block.barriers) return;
  std::vector<std::byte> before;
  for_site_runs(block, first, last, [&](std::size_t site, std::uint32_t op, std::uint32_t row, std::uint32_t count) {
    const SiteColumns& columns = block.sites[site];
    if (columns.writes.empty()) return;
    ReplayMemory::Rows rows = rows_of(columns, block.item.data() + op, row, count);
    if (!adds(columns)) return memory.scatter(rows);
    before.resize(count * rows.size);
    rows.read_out[0] = before.data();
    rows.write_in[0] = columns.coefficients[0].data() + std::size_t(row) * rows.size;
    memory.step_adding(rows, columns.value_type);
  });
}

void apply(const OperationBlock& block, std::uint32_t first, std::uint32_t last, std::uint64_t group_size, State& state,
           int writes) {
  if (block.barriers) return;
  for (std::uint32_t op = first; op < last; ++op) {
    const SiteColumns& columns = block.columns_of(op);
    if (columns.writes.empty()) continue;
    const std::uint32_t row = block.row_of(op);
    const ShapeTraits& shape = traits(columns.shape);
    const std::size_t size = traits(columns.value_type).bytes;
    const int buffer = columns.buffers[shape.write_buffer];
    const std::uint64_t group = block.item[op] / std::max<std::uint64_t>(group_size, 1);
    for (std::size_t w = 0; w < std::size_t(std::min(shape.writes, writes)); ++w) {
      const std::uint64_t offset = std::uint64_t(columns.index[shape.write_index[w]][row]) * size;
      std::array<std::byte, 16> value;
      std::memcpy(value.data(), columns.writes[w].data() + row * size, size);
      if (adds(columns)) {
        std::array<std::byte, 16> sum;
        const std::span<std::byte> element = std::span(sum).first(size);
        if (!state.read_bytes(buffer, group, offset, element) || is_uninitialised(element)) continue;
        add_element(columns.value_type, sum.data(), columns.coefficients[0].data() + row * size);
        value = sum;
      }
      state.write_bytes(buffer, group, offset, std::span(value).first(size));
    }
  }
}

}  // namespace twiddle
