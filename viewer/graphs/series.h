// A buffer's content as a curve: lowest and highest value over any range of elements, quickly, at any size.
#pragma once

#include "viewer/document/document.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace twiddle {

enum class NumberPart : std::uint8_t { Real, Imaginary, Magnitude };

/// Lowest and highest of a stretch; `known` false: nothing in it is known (not written yet, no number).
struct Extent {
  float low = 0, high = 0;
  bool known = false;
  void take(float value);
  void take(const Extent& other);
};

/// Extents of 64, and of 4096 neighbouring elements, of a buffer as it was after a segment.
struct SeriesLevels {
  static constexpr std::uint64_t fine = 64, coarse = 4096;
  int buffer = -1, segment = -1;
  NumberPart part = NumberPart::Real;
  std::vector<Extent> fine_cells, coarse_cells;
  std::uint64_t done = 0;  // elements; they are made in pieces, over several frames if need be
};

/// One part of one buffer in one state. Cheap to make; levels of large buffers are kept.
class Series {
 public:
  /// `segment`: the state after it; −1: before the first step. `group`: of a local array.
  Series(Document& document, int buffer, std::uint64_t group, int segment, NumberPart part);
  /// The same of the state at the cursor, wherever in a segment that is.
  static Series at_cursor(Document& document, int buffer, std::uint64_t group, NumberPart part);

  /// False while decoding the state, or measuring a large buffer, takes longer than the frame has time for.
  bool ready() const { return ready_; }
  std::uint64_t count() const { return count_; }
  /// Of the elements [first, end).
  Extent over(std::uint64_t first, std::uint64_t end) const;
  Extent all() const { return over(0, count_); }
  /// Of equal pieces of `step` elements from `first` on, added to what is in `out`; the last may be shorter.
  void take_pieces(std::uint64_t first, std::uint64_t end, std::uint64_t step, std::span<Extent> out) const;
  /// The segment whose end the state is, where it is one; −2: in the middle of one.
  int segment() const { return segment_; }

 private:
  Series(Document& document, int buffer, std::uint64_t group, NumberPart part, std::shared_ptr<const State> state);
  Extent read(std::uint64_t first, std::uint64_t end) const;
  void measure(Document& document, int segment);

  int buffer_, segment_ = -2;
  std::uint64_t group_, count_ = 0;
  ElementType type_;
  NumberPart part_;
  bool local_ = false, ready_ = false;
  std::shared_ptr<const State> state_;
  const SeriesLevels* levels_ = nullptr;
};

}  // namespace twiddle
