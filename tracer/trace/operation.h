// What one work-item did in one go, as it was logged: the unit of replaying, printing, checking and drawing.
#pragma once

#include "kernels/plan/element.h"
#include "kernels/plan/plan.h"
#include "tracer/trace/legs.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

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
inline constexpr int shape_count = 16;  // of those that trace lines have

/// Butterflies of any radix, which no trace line has, are numbered 64 + 4·(radix − 1) + 2·behind + inverse. Their reads and
/// coefficients are their legs in order, and so are their writes.
inline constexpr int first_legged_shape = 64;
constexpr Shape shape_with(const Legs& legs) {
  return static_cast<Shape>(first_legged_shape + 4 * (legs.radix - 1) + 2 * int(legs.behind) + int(legs.inverse));
}
constexpr Legs legs_of(Shape shape) {
  const int number = static_cast<int>(shape) - first_legged_shape;
  if (number < 4 || number >= 4 * max_legs) return {};
  return {number / 4 + 1, (number & 2) != 0, (number & 1) != 0};
}
/// Whether a number, of a file say, is a shape's.
constexpr bool is_shape(std::uint8_t number) {
  return number < shape_count || legs_of(static_cast<Shape>(number)).radix > 0;
}

/// The parts of a shape, in the order of the log's columns: index words, coefficients, values read, values written.
struct ShapeTraits {
  OperationKind kind;
  int index_words;  // 32-bit index words in the log, read indices first
  int coefficients;
  int reads;  // reads[r] has index word read_index[r]
  int writes;
  std::array<std::uint8_t, max_legs> read_index, write_index;  // which index word belongs to which access
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

/// A list that needs no allocation for a handful of T.
template <typename T, int handful>
class SmallList {
 public:
  void push(const T& item) {
    resize(count_ + 1);
    begin()[count_ - 1] = item;
  }
  void resize(int count) {
    if (count > handful && static_cast<int>(many_.size()) < count) {
      const bool few = count_ <= handful;
      many_.resize(static_cast<std::size_t>(count));
      if (few) std::copy_n(few_.begin(), count_, many_.begin());
    } else if (count <= handful && count_ > handful) {
      std::copy_n(many_.begin(), count, few_.begin());
    }
    count_ = count;
  }
  T* begin() { return count_ > handful ? many_.data() : few_.data(); }
  const T* begin() const { return count_ > handful ? many_.data() : few_.data(); }
  const T* end() const { return begin() + count_; }
  int size() const { return count_; }
  bool empty() const { return count_ == 0; }
  const T& operator[](int i) const { return begin()[i]; }
  T& operator[](int i) { return begin()[i]; }

 private:
  std::array<T, handful> few_{};
  std::vector<T> many_;  // all of them, where there are more
  int count_ = 0;
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
