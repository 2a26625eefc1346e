#include "viewer/facts/spectrum_goal.h"

#include <algorithm>
#include <cmath>

namespace twiddle {

std::optional<SpectrumMiss> miss_of(const SpectrumGoal& goal, const std::vector<double>& magnitudes) {
  SpectrumMiss worst;
  double most = -1;
  for (std::size_t k = 0; k < goal.wanted.size(); ++k) {
    const double has = k < magnitudes.size() ? magnitudes[k] : 0, off = std::abs(has - goal.wanted[k]);
    if (off <= goal.within) {
      ++worst.fitting;
    } else if (!(off <= most * (1 + 1e-6))) {  // of bins that are off alike, the lowest
      most = off;
      worst.bin = std::min(k, goal.wanted.size() - k);
      worst.has = has, worst.wanted = goal.wanted[k];
    }
  }
  if (worst.fitting == goal.wanted.size()) return std::nullopt;
  return worst;
}

std::vector<double> magnitudes_of(const std::vector<std::complex<double>>& bins) {
  std::vector<double> magnitudes(bins.size());
  std::transform(bins.begin(), bins.end(), magnitudes.begin(), [](const auto& bin) { return std::abs(bin); });
  return magnitudes;
}

}  // namespace twiddle
