#include "tracer/trace/block.h"

#include <cassert>
#include <cstring>

namespace twiddle {
namespace {

void read_value(ElementType type, const std::vector<std::byte>& column, std::uint32_t row, Value& value) {
  value.type = type;
  value.bits = {};
  const std::size_t bytes = traits(type).bytes;
  assert((std::size_t(row) + 1) * bytes <= column.size());
  std::memcpy(value.bits.data(), column.data() + std::size_t(row) * bytes, bytes);
}

int buffer_of(const SiteColumns& columns, int which) { return which < 0 ? -1 : columns.buffers[which]; }

}  // namespace

Operation OperationBlock::operation(const TraceInfo& info, std::uint32_t i) const {
  Operation op;
  operation(info, i, op);
  return op;
}

void OperationBlock::operation(const TraceInfo& info, std::uint32_t i, Operation& op) const {
  assert(i < count);
  const SiteColumns& columns = columns_of(i);
  const std::uint32_t row = row_of(i);
  const ShapeTraits& shape = traits(columns.shape);

  op.step = barriers ? 0 : first_step + i;
  const Segment& owner = info.segments[segment];
  op.launch = owner.launch;
  op.stage = owner.stage;
  op.epoch = owner.epoch;
  op.item = item[i];
  op.slot = slot[i];
  const Site* place = info.site(columns.site);
  op.line = place ? place->line : 0;
  op.kind = shape.kind;
  op.shape = columns.shape;

  // A block of indices alone has no coefficients.
  op.coefficients.resize(columns.coefficients.empty() ? 0 : shape.coefficients);
  for (int c = 0; c < op.coefficients.size(); ++c)
    read_value(columns.coefficient_type, columns.coefficients[c], row, op.coefficients[c]);
  const auto read = [&](Access& access, int which, std::uint8_t word, const std::vector<std::vector<std::byte>>& values,
                        int number) {
    access.buffer = buffer_of(columns, which);
    access.index = columns.index[word][row];
    access.known = !values.empty();
    if (access.known)
      read_value(columns.value_type, values[number], row, access.value);
    else
      access.value = {columns.value_type, {}};
  };
  op.target = {};
  if (columns.shape == Shape::Term) {
    op.target.buffer = buffer_of(columns, shape.write_buffer);
    op.target.index = columns.index[shape.write_index[0]][row];
  }
  op.reads.resize(shape.reads);
  for (int r = 0; r < shape.reads; ++r) read(op.reads[r], shape.read_buffer, shape.read_index[r], columns.reads, r);
  op.writes.resize(shape.writes);
  for (int w = 0; w < shape.writes; ++w)
    read(op.writes[w], shape.write_buffer, shape.write_index[w], columns.writes, w);
}

}  // namespace twiddle
