// What an element stands for on its way through a Fourier transform: bin j of the L-point transform of x[o], x[o + N/L],
// x[o + 2N/L], …, along each of two axes.
#pragma once

#include "base/message.h"
#include "tracer/trace/operation.h"
#include "tracer/trace/trace.h"

#include <cstdint>
#include <optional>

namespace twiddle {

/// Along an axis of N = 2^t points a part of length L = 2^l has an offset below N/L and a bin below L: together t bits.
struct TransformPart {
  enum class Kind : std::uint8_t {
    Unknown,  // nothing that can be told
    Plain,    // of the points themselves
    Packed,   // of pairs of real points, x[2i] + i·x[2i+1]: half as many along the second axis
  };
  std::uint32_t place = 0;  // offset and bin along both axes
  Kind kind = Kind::Unknown;
  std::uint8_t lengths[2] = {0, 0};  // log2 of L along each axis
  std::uint32_t turn = 0;            // it is times w_N^turn: decimation in frequency turns after its sums
  bool operator==(const TransformPart&) const = default;
};

/// The axes of a transform: one (of several lines, perhaps, each by itself), or rows and columns.
class Axes {
 public:
  /// Nothing where a trace's expectation is no transform of powers of two that can be followed.
  static std::optional<Axes> of(const TraceInfo& info);

  int bits(const TransformPart& part, int axis) const {
    return axis == 0 ? bits_[0] : bits_[1] - (part.kind == TransformPart::Kind::Packed);
  }
  std::uint32_t along(const TransformPart& part, int axis) const {  // offset << l | bin
    return axis == 0 ? part.place >> bits_[1] : part.place & ((std::uint32_t(1) << bits_[1]) - 1);
  }
  std::uint32_t length(const TransformPart& part, int axis) const { return std::uint32_t(1) << part.lengths[axis]; }
  std::uint32_t bin(const TransformPart& part, int axis) const { return along(part, axis) & (length(part, axis) - 1); }
  std::uint32_t offset(const TransformPart& part, int axis) const { return along(part, axis) >> part.lengths[axis]; }

  /// Point `index` of the input, or, packed, the pair of that number.
  TransformPart point(std::uint64_t index, TransformPart::Kind kind) const;
  /// The part with another offset, length and bin along an axis.
  TransformPart with(const TransformPart& part, int axis, std::uint32_t offset, int log_length,
                     std::uint32_t bin) const;
  /// What element `index` of the output should stand for in the end.
  TransformPart result(std::uint64_t index) const;

  int input() const { return input_; }  // indices into TraceInfo::buffers
  int output() const { return output_; }
  std::uint64_t points() const { return std::uint64_t(1) << bits_[1]; }  // of a line
  std::uint64_t lines() const { return lines_; }
  bool plane() const { return plane_; }
  bool real() const { return real_; }  // the input has no imaginary parts
  bool merges(int axis) const { return axis == 1 || plane_; }

  /// `x[5]`, or `bin 3 of the 4-point transform of x[1], x[5], …`, as a message has it.
  Message text(const TraceInfo& info, const TransformPart& part, int axis) const;

 private:
  int bits_[2] = {0, 0};     // of a place along each axis
  std::uint64_t lines_ = 1;  // rows, or transforms one after another
  std::uint64_t kept_ = 0;   // elements of the output a line
  bool plane_ = false, real_ = false;
  int input_ = -1, output_ = -1;
};

// Where the usual orders of a radix-r transform keep their parts, so that it can be told whether a read or the write before it
// is wrong.

enum class Layout : std::uint8_t {
  Blocks,  // in place: block after block, each the bins of one part; the blocks in digit-reversed order of their offsets
  Stockham,  // bin after bin, each for all offsets in order
};

/// What an element stands for: bin `bin` of the transform of every R-th point from `offset` on.
struct UsualPlace {
  std::uint32_t offset = 0, bin = 0;
  bool operator==(const UsualPlace&) const = default;
};

/// What element `index` of a line of 2^bits points stands for when transforms of 2^log_length points have been made, by
/// butterflies of radix 2^log_radix.
UsualPlace usual_place(Layout layout, std::uint32_t index, int bits, int log_length, int log_radix);

}  // namespace twiddle
