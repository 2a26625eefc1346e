#include "tracer/trace/operation.h"

#include <cassert>

namespace twiddle {
namespace {

constexpr int max_accesses = 4;
using Words = std::array<std::uint8_t, max_accesses>;

// One row a shape, in the order of the enumeration and of trace_device.h's columns. A "to" shape names the buffer it
// writes first and the one it reads second, and logs the read indices before the written ones.
constexpr std::array<ShapeTraits, shape_count> shapes = {{
    // kind, index words, coefficients, reads, writes, read index words, write index words, read buffer, write buffer
    {OperationKind::Barrier, 0, 0, 0, 0, Words{}, Words{}, -1, -1},                      // None
    {OperationKind::Butterfly, 2, 1, 2, 2, Words{0, 1}, Words{0, 1}, 0, 0},              // Butterfly2
    {OperationKind::Butterfly, 4, 1, 2, 2, Words{0, 1}, Words{2, 3}, 1, 0},              // Butterfly2To
    {OperationKind::Butterfly, 4, 3, 4, 4, Words{0, 1, 2, 3}, Words{0, 1, 2, 3}, 0, 0},  // Butterfly4
    {OperationKind::Butterfly, 8, 3, 4, 4, Words{0, 1, 2, 3}, Words{4, 5, 6, 7}, 1, 0},  // Butterfly4To
    {OperationKind::Combine, 3, 0, 2, 1, Words{0, 1}, Words{2}, 1, 0},                   // Combine
    {OperationKind::Swap, 2, 0, 2, 2, Words{0, 1}, Words{0, 1}, 0, 0},                   // Swap
    {OperationKind::Move, 2, 0, 1, 1, Words{0}, Words{1}, 1, 0},                         // Move
    {OperationKind::Atomic, 1, 1, 1, 1, Words{0}, Words{0}, 0, 0},                       // Atomic
    {OperationKind::Scale, 1, 1, 1, 1, Words{0}, Words{0}, 0, 0},                        // Scale
    {OperationKind::Barrier, 0, 0, 0, 0, Words{}, Words{}, -1, -1},                      // Barrier
    {OperationKind::Load, 1, 0, 1, 0, Words{0}, Words{}, 0, -1},                         // Load
    {OperationKind::Store, 1, 0, 0, 1, Words{}, Words{0}, -1, 0},                        // Store
    {OperationKind::Butterfly, 4, 1, 2, 2, Words{0, 1}, Words{2, 3}, 1, 0},              // Pack
    {OperationKind::Scale, 2, 1, 1, 1, Words{0}, Words{1}, 1, 0},                        // ScaleTo
    {OperationKind::Term, 2, 2, 1, 0, Words{0}, Words{1}, 1, 0},                         // Term
}};

std::uint64_t distance(std::uint64_t a, std::uint64_t b) { return a < b ? b - a : a - b; }

}  // namespace

std::string_view name_of(OperationKind kind) {
  switch (kind) {
    case OperationKind::Butterfly: return "butterfly";
    case OperationKind::Combine: return "combine";
    case OperationKind::Swap: return "swap";
    case OperationKind::Move: return "move";
    case OperationKind::Scale: return "scale";
    case OperationKind::Atomic: return "atomic";
    case OperationKind::Term: return "term";
    case OperationKind::Barrier: return "barrier";
    case OperationKind::Load: return "load";
    case OperationKind::Store: return "store";
  }
  return "unknown";
}

const ShapeTraits& traits(Shape shape) {
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
    default: return 0;
  }
}

std::uint64_t butterfly_span(Shape shape, const std::uint64_t* index, int stage) {
  const bool in_place = shape == Shape::Butterfly2 || shape == Shape::Butterfly4;
  if (!in_place && shape != Shape::Butterfly2To && shape != Shape::Butterfly4To) return 0;

  const int radix = shape == Shape::Butterfly2 || shape == Shape::Butterfly2To ? 2 : 4;
  const std::uint64_t read = distance(index[0], index[1]);
  if (in_place) return static_cast<std::uint64_t>(radix) * read;

  const std::uint64_t* out = index + radix;
  const std::uint64_t written = distance(out[0], out[1]);
  // Reads N/radix apart and writes L/radix apart: the Stockham form that gathers its blocks together.
  if (written < read) return static_cast<std::uint64_t>(radix) * written;
  // Writes N/radix apart and reads N/L apart: the Stockham form that keeps its blocks interleaved (Van Loan's).
  if (written > read) return read == 0 ? 0 : static_cast<std::uint64_t>(radix) * (written / read);
  // Equal distances: an in-place butterfly that happens to write elsewhere, or the last stage of the first form; but a
  // first stage merges single points however far apart they lie.
  return static_cast<std::uint64_t>(radix) * (stage == 1 ? 1 : read);
}

std::uint64_t Operation::stride() const {
  std::array<std::uint64_t, 8> index{};
  for (int i = 0; i < reads.size(); ++i) index[static_cast<std::size_t>(i)] = reads[i].index;
  return butterfly_stride(shape, index.data());
}

std::uint64_t Operation::span() const {
  std::array<std::uint64_t, 8> index{};
  std::size_t at = 0;
  for (int i = 0; i < reads.size(); ++i) index[at++] = reads[i].index;
  for (int i = 0; i < writes.size(); ++i) index[at++] = writes[i].index;
  return butterfly_span(shape, index.data(), stage);
}

}  // namespace twiddle
