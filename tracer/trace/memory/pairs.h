// Complex values that a kernel keeps as two real numbers: real and imaginary parts in buffers or local arrays of their own, in the
// halves of one, or beside each other in one. To a trace they are elements of one more buffer, "re+im" (BufferInfo::parts).
#pragma once

#include "tracer/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace twiddle {

/// Whether a pair is one that a trace can have: its parts are elements of buffers before it, numbers of its components' type, and
/// those of a local pair are of local arrays of its launch. Of a file they may be anything.
bool parts_are_valid(std::span<const BufferInfo> before, const BufferInfo& pair);
/// An operation as what it does with memory: an access to a pair's element is one to each of its parts.
Operation in_parts(const TraceInfo& info, Operation operation);

/// An element and those that are the same memory, itself first: a pair's parts, or the pair's element of which it is a part.
struct SameElement {
  int buffer = -1;
  std::uint64_t index = 0;
};
std::vector<SameElement> same_elements(const TraceInfo& info, int buffer, std::uint64_t index);

/// The pair whose real and imaginary parts these are, over whole buffers (the same one twice: parts side by side in it); −1: a
/// trace has none.
int pair_of(const TraceInfo& info, int real, int imaginary);
/// Whether a plan expects a spectrum in a buffer of real numbers, of another that is as long: then real and imaginary parts take
/// turns.
bool parts_take_turns(const TraceInfo& info);
/// What a plan's expectation is about: the pairs of the buffers that it names, where a trace has them, else these.
struct ExpectedBuffers {
  int input = -1, output = -1;  // −1: none
  /// Whether every element of both takes part, one after the other (Expect::plain()).
  bool plain = false;
};
ExpectedBuffers expected_buffers(const TraceInfo& info);

/// Which elements are the same memory: a pair's and its parts.
class SharedElements {
 public:
  explicit SharedElements(const TraceInfo& info);

  struct Place {
    int pair = -1, part = 0;  // 0 real, 1 imaginary
    std::uint64_t index = 0;  // of the pair's element
  };
  bool any() const { return !pairs_.empty(); }
  /// The pair's element that a real number is a part of; nothing where it is of none.
  std::optional<Place> place_of(int buffer, std::uint64_t index) const;
  /// Calls each(buffer, index) for the other elements that change with one that is written: a pair's parts, or the pair's element
  /// of which it is a part.
  template <typename Each>
  void for_each_other(int buffer, std::uint64_t index, const Each& each) const {
    for (const Pair& pair : pairs_) {
      if (pair.number == buffer) {
        for (const BufferPart& part : pair.parts) each(part.buffer, part.at(index));
        continue;
      }
      for (const BufferPart& part : pair.parts)
        if (const auto inside = index_in(pair, part, buffer, index)) each(pair.number, *inside);
    }
  }

 private:
  struct Pair {
    int number = -1;
    std::uint64_t count = 0;
    BufferParts parts;
  };
  static std::optional<std::uint64_t> index_in(const Pair& pair, const BufferPart& part, int buffer,
                                               std::uint64_t index) {
    const auto inside = part.buffer == buffer ? part.element_at(index) : std::nullopt;
    return inside && *inside < pair.count ? inside : std::nullopt;
  }
  std::vector<Pair> pairs_;
};

}  // namespace twiddle
