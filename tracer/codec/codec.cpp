#include "tracer/codec/codec.h"

#include "tracer/codec/codec_state.h"
#include "tracer/codec/codec_values.h"
#include "tracer/codec/columns/codec_columns.h"
#include "tracer/codec/columns/formula.h"
#include "tracer/trace/bytes.h"

#include <algorithm>
#include <cassert>
#include <cfenv>
#include <utility>

namespace twiddle {
namespace {

constexpr std::uint8_t format = 1;
enum Flags : std::uint8_t { flag_barriers = 1, flag_values = 2 };

// Arithmetic as IEEE 754 has it while this lives: an OpenCL driver may have left the processor flushing denormals to zero.
class DefaultArithmetic {
 public:
  DefaultArithmetic() {
    std::fegetenv(&before_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultArithmetic() { std::fesetenv(&before_); }
  DefaultArithmetic(const DefaultArithmetic&) = delete;
  DefaultArithmetic& operator=(const DefaultArithmetic&) = delete;

 private:
  std::fenv_t before_;
};

// The columns that formulas of a site may refer to: row, item, slot, then its index words as they become known.
class SiteSources {
 public:
  SiteSources(const OperationBlock& block, std::size_t site) {
    sources_.count = block.sites[site].count;
    if (block.site.empty()) {
      sources_.columns.insert(sources_.columns.end(), {block.item.data(), block.slot.data()});
      return;
    }
    for (std::size_t i = 0; i < block.site.size(); ++i)
      if (block.site[i] == site) {
        item_.push_back(block.item[i]);
        slot_.push_back(block.slot[i]);
      }
    sources_.columns.insert(sources_.columns.end(), {item_.data(), slot_.data()});
  }
  SiteSources(SiteSources&&) = default;
  void add(const std::vector<std::uint32_t>& column) { sources_.columns.push_back(column.data()); }
  // NOLINTNEXTLINE(google-explicit-constructor): stands for the sources where they are read
  operator const FormulaSources&() const { return sources_; }

 private:
  FormulaSources sources_;
  std::vector<std::uint32_t> item_, slot_;
};

FormulaSources row_only(std::uint32_t count) {
  FormulaSources sources;
  sources.count = count;
  return sources;
}

// ---- writing ----

void write_site(ByteWriter& out, const SiteColumns& site, SiteSources& sources) {
  out.number(static_cast<std::uint64_t>(site.site) + 1);
  out.byte(static_cast<std::uint8_t>(site.shape));
  out.byte(static_cast<std::uint8_t>(site.value_type));
  out.byte(static_cast<std::uint8_t>(site.coefficient_type));
  for (const int buffer : site.buffers) out.number(static_cast<std::uint64_t>(buffer) + 1);
  out.number(site.count);
  for (const auto& column : site.index) {
    write_numbers(out, column, sources);
    sources.add(column);
  }
}

// ---- reading ----

void read_site_numbers(ByteReader& in, OperationBlock& block) {
  const FormulaSources rows = row_only(block.count);
  std::vector<std::uint32_t> site;
  read_numbers(in, rows, site);
  std::vector<std::uint32_t> next(block.sites.size(), 0);
  block.site.resize(block.count);
  block.rank.resize(block.count);
  for (std::size_t i = 0; i < site.size(); ++i) {
    if (site[i] >= block.sites.size()) throw unreadable("a block of the trace names a site that it does not have");
    block.site[i] = static_cast<std::uint8_t>(site[i]);
    block.rank[i] = next[site[i]]++;
  }
  for (std::size_t s = 0; s < block.sites.size(); ++s) block.sites[s].count = next[s];
}

void read_site(ByteReader& in, SiteColumns& site, SiteSources& sources, const TraceInfo& info) {
  site.site = static_cast<int>(in.number_up_to(info.sites.size())) - 1;
  const std::uint8_t shape = in.byte(), value = in.byte(), coefficient = in.byte();
  if (!is_shape(shape) || value >= element_type_count || coefficient >= element_type_count)
    throw unreadable("a block of the trace holds an unknown kind of operation");
  site.shape = static_cast<Shape>(shape);
  site.value_type = static_cast<ElementType>(value);
  site.coefficient_type = static_cast<ElementType>(coefficient);
  if (traits(site.value_type).bytes > sizeof(Value::bits) || traits(site.coefficient_type).bytes > sizeof(Value::bits))
    throw unreadable("a block of the trace has values of {} bytes",
                     std::max(traits(site.value_type).bytes, traits(site.coefficient_type).bytes));
  for (int& buffer : site.buffers) buffer = static_cast<int>(in.number_up_to(info.buffers.size())) - 1;
  if (in.number() != site.count || site.count == 0)
    throw unreadable("a block of the trace counts its operations wrongly");
  site.index.resize(static_cast<std::size_t>(traits(site.shape).index_words));
  for (auto& column : site.index) {
    read_numbers(in, sources, column);
    sources.add(column);
  }
}

// Everything up to the coefficients.
std::uint8_t read_indices(ByteReader& in, OperationBlock& block, std::vector<SiteSources>& sources,
                          const TraceInfo& info) {
  if (in.byte() != format) throw unreadable("a block of the trace has an unknown format");
  const std::uint8_t flags = in.byte();
  if (flags & ~(flag_barriers | flag_values)) throw unreadable("a block of the trace has an unknown format");
  block.barriers = flags & flag_barriers;
  block.count = static_cast<std::uint32_t>(in.number_up_to(block_capacity));
  block.sites.resize(in.number_up_to(255));
  if (block.count == 0 || block.sites.empty()) throw unreadable("a block of the trace is empty");
  FormulaSources rows = row_only(block.count);
  read_numbers(in, rows, block.item);
  rows.columns.push_back(block.item.data());
  read_numbers(in, rows, block.slot);
  block.site.clear(), block.rank.clear();
  if (block.sites.size() > 1)
    read_site_numbers(in, block);
  else
    block.sites[0].count = block.count;
  for (std::size_t s = 0; s < block.sites.size(); ++s) {
    sources.emplace_back(block, s);
    read_site(in, block.sites[s], sources[s], info);
    const bool barrier = traits(block.sites[s].shape).kind == OperationKind::Barrier;
    if (barrier != block.barriers) throw unreadable("a block of the trace mixes barriers and operations");
  }
  return flags;
}

}  // namespace

std::vector<std::byte> encode(const OperationBlock& block, CodecState& state, std::uint64_t& inconsistent) {
  const DefaultArithmetic arithmetic;
  assert(block.count > 0 && block.count <= block_capacity && !block.sites.empty() && block.sites.size() < 256);
  const bool values = std::any_of(block.sites.begin(), block.sites.end(),
                                  [](const SiteColumns& site) { return !site.reads.empty() || !site.writes.empty(); });
  ByteWriter out;
  out.byte(format);
  out.byte(static_cast<std::uint8_t>((block.barriers ? flag_barriers : 0) | (values ? flag_values : 0)));
  out.number(block.count);
  out.number(block.sites.size());
  FormulaSources rows = row_only(block.count);
  write_numbers(out, block.item, rows);
  rows.columns.push_back(block.item.data());
  write_numbers(out, block.slot, rows);
  if (block.sites.size() > 1)
    write_numbers(out, std::vector<std::uint32_t>(block.site.begin(), block.site.end()), row_only(block.count));

  std::vector<SiteSources> sources;
  for (std::size_t s = 0; s < block.sites.size(); ++s) {
    assert(block.sites[s].count > 0);
    sources.emplace_back(block, s);
    write_site(out, block.sites[s], sources[s]);
  }
  for (std::size_t s = 0; s < block.sites.size(); ++s) {
    const SiteColumns& site = block.sites[s];
    for (std::size_t c = 0; c < site.coefficients.size(); ++c)
      if (c == 1 && values && predicts_sums(site))
        out.byte(static_cast<std::uint8_t>(CoefficientKind::Sum));
      else
        write_coefficients(out, site.coefficients[c], site.coefficient_type, sources[s], state.twiddles(),
                           state.max_order());
  }
  if (values) write_values(out, block, state, inconsistent);
  return out.take();
}

OperationBlock decode(std::span<const std::byte> bytes, CodecState& state, const TraceInfo& info,
                      std::uint64_t* inconsistent, OperationBlock room) {
  const DefaultArithmetic arithmetic;
  ByteReader in(bytes);
  OperationBlock block = std::move(room);
  std::vector<SiteSources> sources;
  const bool values = read_indices(in, block, sources, info) & flag_values;
  for (std::size_t s = 0; s < block.sites.size(); ++s) {
    SiteColumns& site = block.sites[s];
    site.coefficients.resize(static_cast<std::size_t>(traits(site.shape).coefficients));
    for (std::size_t c = 0; c < site.coefficients.size(); ++c) {
      site.coefficients[c].resize(site.count * traits(site.coefficient_type).bytes);
      const std::uint8_t kind = in.byte();
      if (kind != static_cast<std::uint8_t>(CoefficientKind::Sum))
        read_coefficients(in, static_cast<CoefficientKind>(kind), site.coefficients[c], site.coefficient_type,
                          sources[s], state.twiddles(), state.max_order());
      else if (c != 1 || !values || !predicts_sums(site))
        throw unreadable("a block of the trace has sums where there are none");
    }
  }
  if (!values)
    for (SiteColumns& site : block.sites) site.reads.clear(), site.writes.clear();
  std::uint64_t ignored = 0;
  if (values) read_values(in, block, state, inconsistent ? *inconsistent : ignored);
  if (!in.at_end()) throw unreadable("a block of the trace has more in it than it should");
  return block;
}

OperationBlock decode_indices(std::span<const std::byte> bytes, const TraceInfo& info) {
  ByteReader in(bytes);
  OperationBlock block;
  std::vector<SiteSources> sources;
  read_indices(in, block, sources, info);
  return block;
}

}  // namespace twiddle
