#include "tracer/store/segment_facts.h"

#include <algorithm>
#include <cmath>

namespace twiddle {
namespace {

std::uint32_t distance(std::uint32_t a, std::uint32_t b) { return a < b ? b - a : a - b; }

// |b[i] − a[i]| where it is the same for all i.
std::optional<std::uint32_t> common_distance(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  if (a.empty()) return std::nullopt;
  const std::uint32_t first = distance(a[0], b[0]);
  std::uint32_t differs = 0;
  for (std::size_t i = 0; i < a.size(); ++i) differs |= distance(a[i], b[i]) ^ first;
  return differs ? std::nullopt : std::optional(first);
}

}  // namespace

SegmentFacts::SegmentFacts(int launch, int epoch, int stage, std::uint64_t first_step) {
  segment_.launch = launch;
  segment_.epoch = epoch;
  segment_.stage = stage;
  segment_.first_step = first_step;
  segment_.kind = OperationKind::Barrier;
}

void SegmentFacts::Agreement::add(std::int64_t next) {
  if (!seen) value = next;
  agreed = agreed && value == next;
  seen = true;
}

void SegmentFacts::add_distances(const SiteColumns& columns) {
  const ShapeTraits& shape = traits(columns.shape);
  const auto add = [&](int accesses, const std::array<std::uint8_t, max_legs>& words, Agreement& agreement) {
    if (accesses < 2) return;
    const auto common = common_distance(columns.index[words[0]], columns.index[words[1]]);
    agreement.add(common ? std::int64_t(*common) : -1);
  };
  add(shape.reads, shape.read_index, read_stride_);
  add(shape.writes, shape.write_index, write_stride_);
  if (shape.kind != OperationKind::Butterfly || columns.shape == Shape::Pack) return;

  in_place_ = in_place_ && shape.index_words == shape.reads;
  add_twiddles(columns);

  // Where both distances are common, so is the span.
  const auto in = common_distance(columns.index[0], columns.index[1]);
  const bool elsewhere = shape.index_words > shape.reads;
  const auto reads = static_cast<std::size_t>(shape.reads);
  const auto out = elsewhere ? common_distance(columns.index[reads], columns.index[reads + 1]) : in;
  if (!in || !out) return span_.add(-1);
  std::array<std::uint64_t, std::size_t(2) * max_legs> index{};
  for (std::size_t word = 0; word < columns.index.size(); ++word) index[word] = columns.index[word][0];
  span_.add(static_cast<std::int64_t>(butterfly_span(columns.shape, index.data(), segment_.stage)));
}

void SegmentFacts::add_twiddles(const SiteColumns& columns) {
  constexpr double some = 1e-6;
  const ElementTraits& type = traits(columns.coefficient_type);
  for (const std::vector<std::byte>& column : columns.coefficients)
    for (std::size_t at = 0; plain_ && at + type.bytes <= column.size(); at += type.bytes)
      plain_ = std::abs(component(columns.coefficient_type, column.data() + at, 0) - 1) < some &&
               (type.components < 2 || std::abs(component(columns.coefficient_type, column.data() + at, 1)) < some);
}

void SegmentFacts::add(const OperationBlock& block) {
  segment_.count += block.count;
  for (const std::uint32_t item : block.item) {
    segment_.items += last_item_ != item;
    last_item_ = item;
  }
  for (const SiteColumns& columns : block.sites) {
    if (columns.count == 0) continue;
    const ShapeTraits& shape = traits(columns.shape);
    of_kind_[static_cast<std::size_t>(shape.kind)] += columns.count;
    if (shape.read_buffer >= 0) read_buffer_.add(columns.buffers[shape.read_buffer]);
    if (shape.write_buffer >= 0) write_buffer_.add(columns.buffers[shape.write_buffer]);
    add_distances(columns);
  }
}

Segment SegmentFacts::segment() const {
  Segment result = segment_;
  // What loads and stores are made into says more than they do, however many there are.
  std::array counts = of_kind_;
  const auto plain = {OperationKind::Load, OperationKind::Store};
  std::uint64_t others = 0;
  for (std::size_t kind = 0; kind < counts.size(); ++kind)
    if (std::find(plain.begin(), plain.end(), static_cast<OperationKind>(kind)) == plain.end()) others += counts[kind];
  if (others > 0)
    for (const OperationKind kind : plain) counts[static_cast<std::size_t>(kind)] = 0;
  const auto most = std::max_element(counts.begin(), counts.end());
  if (*most > 0) result.kind = static_cast<OperationKind>(most - counts.begin());
  result.span = static_cast<std::uint64_t>(std::max<std::int64_t>(0, span_.or_else(0)));
  result.read_buffer = static_cast<int>(read_buffer_.or_else(-1));
  result.write_buffer = static_cast<int>(write_buffer_.or_else(-1));
  result.read_stride = static_cast<std::uint64_t>(std::max<std::int64_t>(0, read_stride_.or_else(0)));
  result.write_stride = static_cast<std::uint64_t>(std::max<std::int64_t>(0, write_stride_.or_else(0)));
  return result;
}

}  // namespace twiddle
