#include "tracer/query/query_columns.h"

#include "tracer/query/query_cells.h"

#include <sqlite3.h>

#include <array>

namespace twiddle {
namespace {

using F = Field;

// By Field.
constexpr FieldTraits fields[] = {
    {"step", Need::Index},     {"launch", Need::Index},      {"kernel", Need::Index},  {"stage", Need::Index},
    {"epoch", Need::Index},    {"item", Need::Places},       {"gid_x", Need::Places},  {"gid_y", Need::Places},
    {"gid_z", Need::Places},   {"work_group", Need::Places}, {"lid", Need::Places},    {"op", Need::Places},
    {"span", Need::Places},    {"stride", Need::Places},     {"line", Need::Places},   {"w_re", Need::Values},
    {"w_im", Need::Values},    {"w2_re", Need::Values},      {"w2_im", Need::Values},  {"w3_re", Need::Values},
    {"w3_im", Need::Values},   {"number", Need::Places},     {"buffer", Need::Places}, {"space", Need::Places},
    {"element", Need::Places}, {"re", Need::Values},         {"im", Need::Values},
};

constexpr F operation_columns[] = {
    F::Step,    F::Launch,  F::Kernel,     F::Stage,      F::Epoch,      F::Item,       F::GlobalX,
    F::GlobalY, F::GlobalZ, F::WorkGroup,  F::LocalId,    F::Op,         F::Span,       F::Stride,
    F::Line,    F::Twiddle, F::Twiddle1Im, F::Twiddle2Re, F::Twiddle2Im, F::Twiddle3Re, F::Twiddle3Im};
constexpr F barrier_columns[] = {F::Launch,  F::Kernel,  F::Stage,     F::Epoch,   F::Item, F::GlobalX,
                                 F::GlobalY, F::GlobalZ, F::WorkGroup, F::LocalId, F::Line};
constexpr F access_columns[] = {F::Step,      F::Launch,  F::Kernel, F::Stage, F::Epoch,  F::Item,
                                F::WorkGroup, F::LocalId, F::Op,     F::Line,  F::Number, F::Buffer,
                                F::Space,     F::Element, F::Re,     F::Im};

constexpr OperationTable table_list[] = {
    {"operations", RowKind::Operation, operation_columns},
    {"reads", RowKind::Read, access_columns},
    {"writes", RowKind::Write, access_columns},
    {"barriers", RowKind::Barrier, barrier_columns},
};

const LaunchInfo& launch_of(const RowPlace& place) { return *place.info->launch(place.segment->launch); }

// The index words of a row, as the functions of operation.h take them.
std::array<std::uint64_t, std::size_t(2) * max_legs> words_of(const SiteColumns& site, std::uint32_t at) {
  std::array<std::uint64_t, std::size_t(2) * max_legs> words{};
  for (std::size_t w = 0; w < site.index.size() && w < words.size(); ++w) words[w] = site.index[w][at];
  return words;
}

void give_item(sqlite3_context* context, const RowPlace& place, Field field) {
  const std::uint64_t item = place.block->item[place.row];
  const LaunchInfo& launch = launch_of(place);
  switch (field) {
    case F::GlobalX: return give_whole(context, launch.global_id(item)[0]);
    case F::GlobalY: return give_whole(context, launch.global_id(item)[1]);
    case F::GlobalZ: return give_whole(context, launch.global_id(item)[2]);
    case F::WorkGroup: return give_whole(context, item / launch.group_size());
    case F::LocalId: return give_whole(context, item % launch.group_size());
    default: return give_whole(context, item);
  }
}

void give_twiddle(sqlite3_context* context, const SiteColumns& site, std::uint32_t at, Field field) {
  const int part = static_cast<int>(field) - static_cast<int>(F::Twiddle);
  const auto which = static_cast<std::size_t>(part / 2);
  if (which < site.coefficients.size())
    give_component(context, site.coefficient_type,
                   site.coefficients[which].data() + std::size_t(at) * traits(site.coefficient_type).bytes, part % 2);
}

void give_access(sqlite3_context* context, const RowPlace& place, const SiteColumns& site, std::uint32_t at,
                 Field field) {
  const ShapeTraits& shape = traits(site.shape);
  const bool reads = place.kind == RowKind::Read;
  const auto which = static_cast<std::size_t>(place.access);
  const int named = reads ? shape.read_buffer : shape.write_buffer;
  const int number = named < 0 ? -1 : site.buffers[named];
  const BufferInfo* buffer = place.info->buffer(number);
  switch (field) {
    case F::Number: return give_whole(context, which + 1);
    case F::Buffer: return buffer ? give_text(context, buffer->name) : void();
    case F::Space: return buffer ? give_text(context, name_of(buffer->space)) : void();
    case F::Element: return give_whole(context, site.index[(reads ? shape.read_index : shape.write_index)[which]][at]);
    default: break;
  }
  const auto& columns = reads ? site.reads : site.writes;
  if (which < columns.size())
    give_component(context, site.value_type, columns[which].data() + std::size_t(at) * traits(site.value_type).bytes,
                   field == F::Re ? 0 : 1);
}

}  // namespace

const FieldTraits& traits(Field field) { return fields[static_cast<std::size_t>(field)]; }

std::span<const OperationTable> operation_table_list() { return table_list; }

int rows_of_operation(const OperationBlock& block, std::uint32_t row, RowKind kind) {
  if (kind != RowKind::Read && kind != RowKind::Write) return 1;
  const ShapeTraits& shape = traits(block.columns_of(row).shape);
  return kind == RowKind::Read ? shape.reads : shape.writes;
}

void give_field(sqlite3_context* context, const RowPlace& place, Field field) {
  const Segment& segment = *place.segment;
  switch (field) {
    case F::Step: return give_positive(context, place.step);
    case F::Launch: return give_whole(context, static_cast<std::uint64_t>(segment.launch));
    case F::Kernel: return give_text(context, launch_of(place).kernel);
    case F::Stage: return give_positive(context, static_cast<std::uint64_t>(segment.stage));
    case F::Epoch: return give_whole(context, static_cast<std::uint64_t>(segment.epoch));
    default: break;
  }
  if (field >= F::Item && field <= F::LocalId) return give_item(context, place, field);
  const SiteColumns& site = place.block->columns_of(place.row);
  const std::uint32_t at = place.block->row_of(place.row);
  switch (field) {
    case F::Op: return give_text(context, name_of(traits(site.shape).kind));
    case F::Span: {
      const std::uint64_t own = butterfly_span(site.shape, words_of(site, at).data(), segment.stage);
      return give_positive(context, own > 0 && segment.span > 0 ? segment.span : own);
    }
    case F::Stride: return give_positive(context, butterfly_stride(site.shape, words_of(site, at).data()));
    case F::Line:
      if (const Site* from = place.info->site(site.site))
        give_positive(context, static_cast<std::uint64_t>(from->line));
      return;
    default: break;
  }
  if (field >= F::Twiddle && field <= F::Twiddle3Im) return give_twiddle(context, site, at, field);
  give_access(context, place, site, at, field);
}

}  // namespace twiddle
