#include "tracer/block.h"

#include <cassert>
#include <cstring>

namespace twiddle {
namespace {

Value value_at(ElementType type, const std::vector<std::byte>& column, std::uint32_t row) {
  Value value;
  value.type = type;
  const std::size_t bytes = traits(type).bytes;
  assert((std::size_t(row) + 1) * bytes <= column.size());
  std::memcpy(value.bits.data(), column.data() + std::size_t(row) * bytes, bytes);
  return value;
}

int buffer_of(const SiteColumns& columns, int which) { return which < 0 ? -1 : columns.buffers[which]; }

}  // namespace

Operation OperationBlock::operation(const TraceInfo& info, std::uint32_t i) const {
  assert(i < count);
  const SiteColumns& columns = sites[site.empty() ? 0 : site[i]];
  const std::uint32_t row = rank.empty() ? i : rank[i];
  const ShapeTraits& shape = traits(columns.shape);

  Operation op;
  op.step = barriers ? 0 : first_step + i;
  const Segment& owner = info.segments[segment];
  op.launch = owner.launch;
  op.stage = owner.stage;
  op.epoch = owner.epoch;
  op.item = item[i];
  op.slot = slot[i];
  const auto site_number = static_cast<std::size_t>(columns.site);
  op.line = columns.site >= 0 && site_number < info.sites.size() ? info.sites[site_number].line : 0;
  op.kind = shape.kind;
  op.shape = columns.shape;

  // A block of indices alone has no coefficients.
  for (int c = 0; c < shape.coefficients && !columns.coefficients.empty(); ++c)
    op.coefficients.push(value_at(columns.coefficient_type, columns.coefficients[static_cast<std::size_t>(c)], row));
  const auto access = [&](int which, std::uint8_t word, const std::vector<std::vector<std::byte>>& values, int number) {
    Access result;
    result.buffer = buffer_of(columns, which);
    result.index = columns.index[word][row];
    result.known = !values.empty();
    result.value.type = columns.value_type;
    if (result.known) result.value = value_at(columns.value_type, values[static_cast<std::size_t>(number)], row);
    return result;
  };
  if (columns.shape == Shape::Term) {
    op.target.buffer = buffer_of(columns, shape.write_buffer);
    op.target.index = columns.index[shape.write_index[0]][row];
  }
  for (int r = 0; r < shape.reads; ++r)
    op.reads.push(access(shape.read_buffer, shape.read_index[static_cast<std::size_t>(r)], columns.reads, r));
  for (int w = 0; w < shape.writes; ++w)
    op.writes.push(access(shape.write_buffer, shape.write_index[static_cast<std::size_t>(w)], columns.writes, w));
  return op;
}

}  // namespace twiddle
