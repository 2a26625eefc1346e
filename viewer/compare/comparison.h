// Two traces side by side, stepped together: which step of one corresponds to which of the other, and where they differ.
#pragma once

#include "viewer/document/document.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace twiddle {

class Comparison {
 public:
  /// Numbers this near are the same: two devices round differently.
  static constexpr std::uint64_t ulps = 4;

  /// Both documents must outlive it.
  Comparison(Document& first, Document& second);

  Document& first() const { return *first_; }
  Document& second() const { return *second_; }

  /// The step of the second trace that corresponds to a step of the first, and back. Where both have the same segments
  /// these go together, item by item; radix 2 and radix 4 meet where the same spans are merged; in between, evenly.
  std::uint64_t second_step(std::uint64_t step) const;
  std::uint64_t first_step(std::uint64_t step) const;

  /// Whether both have the same buffers and launches, so that an element or an item of one has a counterpart in the other.
  bool alike() const { return alike_; }
  /// Whether they are to do the same thing, so that a difference means something: alike, and at least half of their launches
  /// run kernels of one name. Two ways to reduce are alike, and differ on purpose.
  bool comparable() const { return comparable_; }
  /// What a mark of the first (Mark::side 0) or the second (1) is to the other; nothing when it has no counterpart there.
  std::optional<Mark> counterpart(const Mark& mark) const;
  /// The segment of the second that matches one of the first; nothing when none does. −1 matches −1.
  std::optional<int> second_segment(int segment) const;

  /// An element of both, as each has it after the mark's segment or now: whether they hold something else. False while
  /// either is not known. `scale` is the largest magnitude around it, against which numbers are near.
  bool differs(const Mark& element, double scale) const;
  /// The larger of an element's two magnitudes; 0 when not known.
  double magnitude_of(const Mark& element) const;

 private:
  struct Pair {
    int first = 0, second = 0;  // segments that match
  };
  struct Anchor {
    std::uint64_t first = 0, second = 0;  // steps
    int pair = -1;                        // of the matching segments that begin here; −1: what is between two such
  };
  Document *first_, *second_;
  bool alike_ = false, comparable_ = false;
  std::vector<Pair> pairs_;
  std::vector<Anchor> anchors_;

  std::uint64_t across(std::uint64_t step, bool back) const;
  std::optional<std::uint64_t> by_item(const Pair& pair, std::uint64_t step, bool back) const;
  std::optional<std::pair<Value, Value>> values(const Mark& element) const;
};

}  // namespace twiddle
