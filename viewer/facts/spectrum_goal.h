// A spectrum that samples are to be brought to: how much of each wave there should be, and what is not so yet.
#pragma once

#include <complex>
#include <cstddef>
#include <optional>
#include <vector>

namespace twiddle {

struct SpectrumGoal {
  std::vector<double> wanted;  // the magnitude of each bin; empty: none is asked for
  double within = 0;           // how far off a bin may be
  double low = -1, high = 1;   // what a sample's handle goes through

  bool asked() const { return !wanted.empty(); }
};

/// What samples can be set to by keys, and are rounded to where they are dragged.
inline constexpr double sample_step = 0.1;

/// The bin that is off by most, and how many are not off.
struct SpectrumMiss {
  std::size_t bin = 0;  // of a real signal's mirrored pair the lower one
  double has = 0, wanted = 0;
  std::size_t fitting = 0;
};

/// Nothing where all bins are within the goal's bound; what is missing of `magnitudes` counts as 0.
std::optional<SpectrumMiss> miss_of(const SpectrumGoal& goal, const std::vector<double>& magnitudes);

std::vector<double> magnitudes_of(const std::vector<std::complex<double>>& bins);

}  // namespace twiddle
