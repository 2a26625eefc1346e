// What one work-item did in one go, as it was logged: the unit of replaying, printing, checking and drawing.
#pragma once

#include "kernels/plan/element.h"
#include "kernels/plan/plan.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace twiddle {

enum class OperationKind : std::uint8_t { Butterfly, Combine, Swap, Move, Scale, Atomic, Term, Barrier, Load, Store };
inline constexpr std::size_t operation_kind_count = 10;
std::string_view name_of(OperationKind kind);  // "butterfly", …, as `print` writes it

/// An operation's layout in the device log; numbered as in trace_device.h and in trace files: never renumber.
enum class Shape : std::uint8_t {
  None = 0,
  Butterfly2,
  Butterfly2To,
  Butterfly4,
  Butterfly4To,
  Combine,
  Swap,
  Move,
  Atomic,
  Scale,
  Barrier,
  Load,
  Store,
  Pack,
  ScaleTo,
  Term,
};
inline constexpr int shape_count = 16;

/// The parts of a shape, in the order of the log's columns: index words, coefficients, values read, values written.
struct ShapeTraits {
  OperationKind kind;
  int index_words;  // 32-bit index words in the log, read indices first
  int coefficients;
  int reads;  // reads[r] has index word read_index[r]
  int writes;
  std::array<std::uint8_t, 4> read_index, write_index;  // which index word belongs to which access
  int read_buffer, write_buffer;  // which of the trace line's two buffers: 0 = first named, 1 = second, −1 none
};
const ShapeTraits& traits(Shape shape);

/// Bits of one element of some type.
struct Value {
  ElementType type = ElementType::Float;
  std::array<std::byte, 16> bits{};

  double component(int which) const { return twiddle::component(type, bits.data(), which); }
  std::span<const std::byte> bytes() const { return {bits.data(), traits(type).bytes}; }
  bool operator==(const Value& other) const {
    return type == other.type && std::memcmp(bits.data(), other.bits.data(), traits(type).bytes) == 0;
  }
};

/// One element touched. `known` is false in a trace of detail "index", or where the log does not say.
struct Access {
  int buffer = -1;          // index into TraceInfo::buffers (plan buffers first, then local arrays); −1: unknown
  std::uint64_t index = 0;  // element
  bool known = false;
  Value value;
};

template <typename T, int capacity>
struct SmallList {  // a handful of T without an allocation
  std::array<T, capacity> items{};
  int count = 0;
  void push(const T& item) { items[count++] = item; }
  const T* begin() const { return items.data(); }
  const T* end() const { return items.data() + count; }
  int size() const { return count; }
  bool empty() const { return count == 0; }
  const T& operator[](int i) const { return items[i]; }
  T& operator[](int i) { return items[i]; }
};

struct Operation {
  std::uint64_t step = 0;  // 1 … steps; 0 for barriers, which are no steps
  int launch = 0;          // from 1
  int stage = 0;           // from 1; 0: outside the stages (bit reversal, load, store)
  int epoch = 0;           // from 0
  std::uint64_t item = 0;  // groups in order, items of a group in order: the global id when there is one dimension
  int slot = 0;            // this was the item's slot-th logged operation of the launch, barriers included, from 0
  int line = 0;            // of the trace line in the kernel's source
  OperationKind kind = OperationKind::Barrier;
  Shape shape = Shape::None;
  SmallList<Access, 4> reads, writes;
  SmallList<Value, 4> coefficients;
  Access target;  // of a term: the element that its sum is for, which is written later

  /// Points merged by the butterfly's block, and distance of its first two inputs; 0 where that has no meaning. Both in
  /// elements of the buffer read: a column of a row-major array counts its pitch.
  std::uint64_t span() const;
  std::uint64_t stride() const;
};

/// The same from the index words of a shape, in the log's order. In place, a butterfly of radix r spans r strides. Stockham
/// butterflies read and write at different distances: the block they merge has r times the smaller written distance, or,
/// where it stays interleaved (Van Loan's form), r times the ratio of the two. `stage` settles the one ambiguous case: a
/// first stage merges single points.
std::uint64_t butterfly_span(Shape shape, const std::uint64_t* index, int stage);
std::uint64_t butterfly_stride(Shape shape, const std::uint64_t* index);  // also of a Combine

}  // namespace twiddle
