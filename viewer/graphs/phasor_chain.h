// What an output of a transform is the sum of: every input times the factor that it met on its way, as the log has them, and
// the fewer and longer vectors that each stage made of these.
#pragma once

#include "viewer/document/document.h"

#include <complex>
#include <cstdint>
#include <optional>
#include <vector>

namespace twiddle {

struct ChainVector {
  std::uint64_t index = 0;          // of the element that it comes from
  std::complex<double> weight = 1;  // the factors on the way from there to the output, multiplied
  std::complex<double> value;       // weight times what the element held
};

/// The vectors after a segment, by ascending index; their sum is the output.
struct ChainLevel {
  int segment = -1;  // −1: of the inputs
  int buffer = -1;
  std::vector<ChainVector> vectors;
};

/// From the inputs to the output itself, a level for each segment that unites some. Nothing where an operation on the way is no
/// linear one that the log explains (a packed transform of reals, an atomic), or where the logged values do not add up to
/// the output within float rounding; and of buffers of more than `max_points` elements, or of more than `max_steps`
/// operations. Local arrays are followed like buffers; what was summed term by term is the sum of its terms.
struct PhasorChain {
  static constexpr std::uint64_t max_points = 1024, max_steps = 1 << 18;
  std::vector<ChainLevel> levels;
};
std::optional<PhasorChain> phasor_chain(Document& document, int buffer, std::uint64_t index);
/// The same, kept for the output that was asked for last.
const PhasorChain* phasor_chain_of(Document& document, int buffer, std::uint64_t index);

/// The elements that a work-item has added to the sum of an element so far, ascending: those of its terms up to `now`, which is
/// one of them or the store of their sum. Empty where it is neither.
std::vector<std::uint64_t> terms_so_far(Document& document, const Operation& now);

}  // namespace twiddle
