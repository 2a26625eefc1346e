// Which buffers hold the real and the imaginary parts of a launch's complex values, and what is done with both.
#pragma once

#include "tracer/lift/elements.h"
#include "tracer/trace/memory/pairs.h"
#include "tracer/trace/operation.h"

#include <complex>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace twiddle {

/// The pairs (trace/memory/pairs.h) that butterflies of a launch are of and that `info` does not have yet; they go behind its
/// buffers. Sums and differences alone do not tell complex values from two real signals that are treated alike: there is a pair
/// only where a factor, or what a butterfly of more than two points is made of, mixes real and imaginary parts, or where
/// KnownParts says that they are such.
std::vector<BufferInfo> pairs_in(const Lifted& lifted, const AccessLog& log, const TraceInfo& info, int launch);

/// Those of global buffers that butterflies could be of, though none of them mixes real and imaginary parts: with twiddles of 1
/// alone they could also be of two real signals. Another launch of the kernel may tell.
std::vector<BufferInfo> undecided_pairs_in(const Lifted& lifted, const AccessLog& log, const TraceInfo& info,
                                           int launch);

/// An operation with its elements, as a trace has it.
struct PlacedOperation {
  std::uint64_t record = 0;  // where it is in its item's order …
  int place = 0;             // … and among what is there
  Shape shape = Shape::None;
  Elements all;
  ElementType value{}, coefficient{};
  std::vector<std::complex<double>> coefficients{};
};

/// What items do with pairs' real elements comes in twos: the same with the real parts and with the imaginary ones. Either is
/// half of an operation with complex values.
class PairedHalves {
 public:
  /// `item` and `epoch` are those of each record of the log, `pairs` those of `info`.
  PairedHalves(const AccessLog& log, const TraceInfo& info, const SharedElements& pairs,
               const std::vector<std::uint32_t>& item, const std::vector<int>& epoch)
      : log_(log), info_(info), pairs_(pairs), item_(item), epoch_(epoch) {}

  /// What is to be put into the trace next: an operation that is no half as it is, both halves as one, or the half that this one
  /// takes the place of. Nothing while its other half may come.
  std::optional<PlacedOperation> add(PlacedOperation one);
  /// Those whose other half never came. Behind all others.
  std::vector<PlacedOperation> rest();

 private:
  // What is done with the elements of an operation's one part.
  struct Side {
    int part = 0, read_pair = -1, write_pair = -1;
    std::vector<std::uint32_t> indices;  // of the pairs' elements, reads first
    auto operator<=>(const Side&) const = default;
  };
  std::optional<Side> side_of(const Elements& all) const;
  std::optional<PlacedOperation> joined(const Side& side, const PlacedOperation& one,
                                        const PlacedOperation& other) const;
  Elements both(const Side& side, const Elements& real, const Elements& imaginary) const;
  bool touched_between(const PlacedOperation& half, std::uint64_t later) const;

  const AccessLog& log_;
  const TraceInfo& info_;
  const SharedElements& pairs_;
  const std::vector<std::uint32_t>& item_;
  const std::vector<int>& epoch_;
  std::map<std::tuple<std::uint32_t, Shape, Side>, PlacedOperation> waiting_;  // by item
};

}  // namespace twiddle
