// What large outcomes should have been: beyond what `verify` is for, in bounded memory, and once for all rungs of a problem.
#pragma once

#include "kernels/catalogue/reference.h"

#include <complex>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace twiddle {

/// Verdicts on transforms and histograms of any size that this machine's memory has room for: 64 bytes a point of a transform,
/// within half of it. Keeps the last transform's spectrum in double precision (16 bytes a point) for the rungs that follow.
class BenchReference {
 public:
  /// `input` is the first content of the plan's expected input. Nothing where there is no room, or for other expectations.
  std::optional<Verdict> verify(const Plan& plan, std::span<const std::byte> input, std::span<const std::byte> output);

 private:
  Verdict transform(const Plan& plan, const ExpectShape& shape, std::span<const std::byte> input,
                    std::span<const std::byte> output);

  std::string of_;  // what the spectrum is of
  std::vector<std::complex<double>> spectrum_;
};

/// Bytes of memory that this machine has.
std::uint64_t memory_of_machine();

}  // namespace twiddle
