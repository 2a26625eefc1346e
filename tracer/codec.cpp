#include "tracer/codec.h"

#include "tracer/apply.h"
#include "tracer/bytes.h"
#include "tracer/codec_state.h"
#include "tracer/compress.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace twiddle {
namespace {

constexpr std::uint8_t format = 1;
constexpr std::uint8_t flag_barriers = 1, flag_values = 2;

template <typename T>
void write_column(ByteWriter& out, const std::vector<T>& column) {
  out.string(compress(std::as_bytes(std::span(column)), sizeof(T)));
}

template <typename T>
std::vector<T> read_column(ByteReader& in, std::uint32_t count) {
  std::vector<T> column(count);
  decompress(in.string(), sizeof(T), std::as_writable_bytes(std::span(column)));
  return column;
}

void write_values(ByteWriter& out, const std::vector<std::byte>& column, ElementType type) {
  out.string(compress(column, traits(type).wide ? 8 : 4));
}

std::vector<std::byte> read_values(ByteReader& in, std::uint32_t count, ElementType type) {
  std::vector<std::byte> column(count * traits(type).bytes);
  decompress(in.string(), traits(type).wide ? 8 : 4, column);
  return column;
}

// Reads are compared with the state as the operations come, one by one.
std::uint64_t count_inconsistent(const OperationBlock& block, ReplayMemory& memory) {
  std::uint64_t inconsistent = 0;
  std::vector<std::byte> read[4];
  for_site_runs(block, 0, block.count, [&](std::size_t site, std::uint32_t op, std::uint32_t row, std::uint32_t count) {
    const SiteColumns& columns = block.sites[site];
    if (columns.reads.empty() || columns.shape == Shape::Atomic) return apply(block, op, op + count, memory);
    ReplayMemory::Rows rows = rows_of(columns, block.item.data() + op, row, count);
    for (std::size_t r = 0; r < std::size_t(rows.reads); ++r) {
      read[r].resize(count * rows.size);
      rows.read_out[r] = read[r].data();
    }
    memory.step(rows);
    for (std::size_t r = 0; r < std::size_t(rows.reads); ++r)
      for (std::size_t i = 0; i < count; ++i) {
        const std::span<const std::byte> expected(read[r].data() + i * rows.size, rows.size);
        if (std::memcmp(expected.data(), columns.reads[r].data() + (row + i) * rows.size, rows.size) == 0) continue;
        if (!is_uninitialised(expected) || memory.always_known(rows.read_buffer, rows.size, rows.read_index[r][i]))
          ++inconsistent;
      }
  });
  return inconsistent;
}

}  // namespace

std::vector<std::byte> encode(const OperationBlock& block, CodecState& state, std::uint64_t& inconsistent) {
  ByteWriter out;
  const bool values = std::any_of(block.sites.begin(), block.sites.end(),
                                  [](const SiteColumns& site) { return !site.reads.empty() || !site.writes.empty(); });
  out.byte(format);
  out.byte(static_cast<std::uint8_t>((block.barriers ? flag_barriers : 0) | (values ? flag_values : 0)));
  out.number(block.count);
  out.number(block.sites.size());
  write_column(out, block.item);
  write_column(out, block.slot);
  if (block.sites.size() > 1) write_column(out, block.site);
  for (const SiteColumns& site : block.sites) {
    out.number(static_cast<std::uint64_t>(site.site + 1));
    out.byte(static_cast<std::uint8_t>(site.shape));
    out.byte(static_cast<std::uint8_t>(site.value_type));
    out.byte(static_cast<std::uint8_t>(site.coefficient_type));
    for (int buffer : site.buffers) out.number(static_cast<std::uint64_t>(buffer + 1));
    out.number(site.count);
    for (const auto& column : site.index) write_column(out, column);
    for (const auto& column : site.coefficients) write_values(out, column, site.coefficient_type);
    if (!values) continue;
    for (const auto& column : site.reads) write_values(out, column, site.value_type);
    for (const auto& column : site.writes) write_values(out, column, site.value_type);
  }
  if (!block.barriers && values) inconsistent += count_inconsistent(block, state.memory());
  return out.take();
}

namespace {

OperationBlock decode_block(std::span<const std::byte> bytes, const TraceInfo& info, bool all) {
  ByteReader in(bytes);
  if (in.byte() != format) throw unreadable("a block of the trace has an unknown format");
  const std::uint8_t flags = in.byte();
  OperationBlock block;
  block.barriers = flags & flag_barriers;
  block.count = static_cast<std::uint32_t>(in.number_up_to(block_capacity));
  block.sites.resize(in.number_up_to(255));
  if (block.sites.empty() != (block.count == 0)) throw unreadable("a block of the trace has operations without a site");
  block.item = read_column<std::uint32_t>(in, block.count);
  block.slot = read_column<std::uint32_t>(in, block.count);
  if (block.sites.size() > 1) {
    block.site = read_column<std::uint8_t>(in, block.count);
    std::vector<std::uint32_t> next(block.sites.size(), 0);
    for (const std::uint8_t site : block.site) {
      if (site >= block.sites.size()) throw unreadable("a block of the trace names a site that it does not have");
      block.rank.push_back(next[site]++);
    }
  }
  std::vector<std::uint32_t> rows(block.sites.size(), 0);
  for (const std::uint8_t site : block.site) ++rows[site];
  if (block.sites.size() == 1) rows[0] = block.count;
  for (std::size_t s = 0; s < block.sites.size(); ++s) {
    SiteColumns& site = block.sites[s];
    site.site = static_cast<int>(in.number_up_to(info.sites.size())) - 1;
    const std::uint8_t shape = in.byte(), value = in.byte(), coefficient = in.byte();
    if (shape >= shape_count || value >= element_type_count || coefficient >= element_type_count)
      throw unreadable("a block of the trace holds an unknown kind of operation");
    site.shape = static_cast<Shape>(shape);
    site.value_type = static_cast<ElementType>(value);
    site.coefficient_type = static_cast<ElementType>(coefficient);
    for (int& buffer : site.buffers) buffer = static_cast<int>(in.number_up_to(info.buffers.size())) - 1;
    site.count = static_cast<std::uint32_t>(in.number_up_to(block_capacity));
    if (site.count != rows[s]) throw unreadable("a block of the trace counts its operations wrongly");
    const ShapeTraits& make = traits(site.shape);
    for (int i = 0; i < make.index_words; ++i) site.index.push_back(read_column<std::uint32_t>(in, site.count));
    if (!all) break;
    for (int i = 0; i < make.coefficients; ++i)
      site.coefficients.push_back(read_values(in, site.count, site.coefficient_type));
    if (!(flags & flag_values)) continue;
    for (int i = 0; i < make.reads; ++i) site.reads.push_back(read_values(in, site.count, site.value_type));
    for (int i = 0; i < make.writes; ++i) site.writes.push_back(read_values(in, site.count, site.value_type));
  }
  return block;
}

}  // namespace

OperationBlock decode(std::span<const std::byte> bytes, CodecState& state, const TraceInfo& info) {
  OperationBlock block = decode_block(bytes, info, true);
  apply(block, 0, block.count, state.memory());
  return block;
}

OperationBlock decode_indices(std::span<const std::byte> bytes, const TraceInfo& info) {
  return decode_block(bytes, info, false);
}

}  // namespace twiddle
