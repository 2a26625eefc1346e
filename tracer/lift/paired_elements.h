// Which buffers hold the real and the imaginary parts of a launch's complex values, and what is done with both.
#pragma once

#include "tracer/lift/elements.h"
#include "tracer/trace/memory/pairs.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace twiddle {

/// The pairs (trace/pairs.h) that butterflies of a launch are of and that `info` does not have yet; they go behind its buffers. Sums and
/// differences alone do not tell complex values from two real signals that are treated alike: there is a pair only where a factor, or
/// what a butterfly of more than two points is made of, mixes real and imaginary parts, or where KnownParts says that they are such.
std::vector<BufferInfo> pairs_in(const Lifted& lifted, const AccessLog& log, const TraceInfo& info, int launch);

/// Real elements of pairs, whose operations come in twos: the same with the real parts and with the imaginary ones.
class PairedElements {
 public:
  PairedElements(const TraceInfo& info, const SharedElements& pairs) : info_(info), pairs_(pairs) {}

  /// What is done with the elements of an operation's one part; nothing where it is not all real or all imaginary parts.
  struct Side {
    int part = 0, read_pair = -1, write_pair = -1;
    std::vector<std::uint32_t> indices;  // of the pairs' elements, reads first
    auto operator<=>(const Side&) const = default;
  };
  std::optional<Side> side_of(const Elements& all) const;
  /// The complex elements of both.
  Elements both(const Side& side, const Elements& real, const Elements& imaginary) const;

 private:
  const TraceInfo& info_;
  const SharedElements& pairs_;
};

}  // namespace twiddle
