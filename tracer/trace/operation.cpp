#include "tracer/trace/operation.h"

#include "base/tr.h"

#include "tracer/trace/trace_macros.h"

#include <algorithm>
#include <cassert>

namespace twiddle {
namespace {

// The log has a shape's read indices before its written ones. A macro names the buffer that it writes first.
constexpr ShapeTraits traits_of(const TraceMacro& macro) {
  const int written = macro.count('o');
  ShapeTraits shape{macro.kind, macro.count('r') + written, macro.coefficients, macro.reads, macro.writes, {}, {}, -1,
                    -1};
  for (int r = 0; r < macro.reads; ++r) shape.read_index[r] = static_cast<std::uint8_t>(r);
  for (int w = 0; w < std::max(written, macro.writes); ++w)
    shape.write_index[w] = static_cast<std::uint8_t>(written ? macro.count('r') + w : w);
  if (macro.reads > 0) shape.read_buffer = macro.place('b') > 0 ? 1 : 0;
  if (macro.place('B') == 0) shape.write_buffer = 0;
  return shape;
}

constexpr std::array<ShapeTraits, shape_count> shapes = [] {
  std::array<ShapeTraits, shape_count> all{traits_of({"", Shape::None, OperationKind::Barrier, 0, 0, 0, ""})};
  for (std::size_t s = 1; s < all.size(); ++s) all[s] = traits_of(trace_macros[s - 1]);
  return all;
}();

constexpr ShapeTraits traits_of(const Legs& legs) {
  ShapeTraits shape{OperationKind::Butterfly, 2 * legs.radix, legs.radix, legs.radix, legs.radix, {}, {}, 1, 0};
  for (int leg = 0; leg < legs.radix; ++leg) {
    shape.read_index[leg] = static_cast<std::uint8_t>(leg);
    shape.write_index[leg] = static_cast<std::uint8_t>(legs.radix + leg);
  }
  return shape;
}

constexpr std::array<ShapeTraits, max_legs + 1> legged = [] {
  std::array<ShapeTraits, max_legs + 1> all{};
  for (int radix = 2; radix <= max_legs; ++radix) all[radix] = traits_of(Legs{radix});
  return all;
}();

std::uint64_t distance(std::uint64_t a, std::uint64_t b) { return a < b ? b - a : a - b; }

}  // namespace

std::string_view name_of(OperationKind kind) {
  constexpr std::array<std::string_view, operation_kind_count> names{
      translatable("butterfly"), translatable("combine"), translatable("swap"), translatable("move"),
      translatable("scale"),     translatable("atomic"),  translatable("term"), translatable("barrier"),
      translatable("load"),      translatable("store")};
  return names[static_cast<std::size_t>(kind)];
}

const ShapeTraits& traits(Shape shape) {
  if (const int radix = legs_of(shape).radix) return legged[radix];
  const auto number = static_cast<std::size_t>(shape);
  assert(number < shapes.size());
  return shapes[number];
}

std::uint64_t butterfly_stride(Shape shape, const std::uint64_t* index) {
  switch (shape) {
    case Shape::Butterfly2:
    case Shape::Butterfly2To:
    case Shape::Butterfly4:
    case Shape::Butterfly4To:
    case Shape::Combine: return distance(index[0], index[1]);
    default: return legs_of(shape).radix > 0 ? distance(index[0], index[1]) : 0;
  }
}

std::uint64_t butterfly_span(Shape shape, const std::uint64_t* index, int stage) {
  const int legs = legs_of(shape).radix;
  const bool in_place = shape == Shape::Butterfly2 || shape == Shape::Butterfly4;
  if (!in_place && shape != Shape::Butterfly2To && shape != Shape::Butterfly4To && legs == 0) return 0;

  const int radix = legs > 0 ? legs : shape == Shape::Butterfly2 || shape == Shape::Butterfly2To ? 2 : 4;
  const std::uint64_t read = distance(index[0], index[1]);
  if (in_place) return static_cast<std::uint64_t>(radix) * read;

  const std::uint64_t* out = index + radix;
  const std::uint64_t written = distance(out[0], out[1]);
  // Reads N/radix apart and writes L/radix apart: the Stockham form that gathers its blocks together.
  if (written < read) return static_cast<std::uint64_t>(radix) * written;
  // Writes N/radix apart and reads N/L apart: the Stockham form that keeps its blocks interleaved (Van Loan's).
  if (written > read) return read == 0 ? 0 : static_cast<std::uint64_t>(radix) * (written / read);
  // Equal distances: an in-place butterfly that happens to write elsewhere, or the last stage of the first form; but a
  // first stage merges single points however far apart they are.
  return static_cast<std::uint64_t>(radix) * (stage == 1 ? 1 : read);
}

std::uint64_t Operation::stride() const {
  std::array<std::uint64_t, std::size_t(2) * max_legs> index{};
  for (int i = 0; i < reads.size(); ++i) index[i] = reads[i].index;
  return butterfly_stride(shape, index.data());
}

std::uint64_t Operation::span() const {
  std::array<std::uint64_t, std::size_t(2) * max_legs> index{};
  std::size_t at = 0;
  for (int i = 0; i < reads.size(); ++i) index[at++] = reads[i].index;
  for (int i = 0; i < writes.size(); ++i) index[at++] = writes[i].index;
  return butterfly_span(shape, index.data(), stage);
}

}  // namespace twiddle
