// Rungs, as benches are asked for them: an algorithm, with parameters behind a colon.
#pragma once

#include "kernels/catalogue/catalogue.h"
#include "tracer/runtime/runtime.h"

#include <cstdint>
#include <string>

namespace twiddle {

/// Of rungs that name none.
inline constexpr const char* usual_signal = "random:1";

/// "fft-registers", "fft-registers:method=scattered,group-size=128". Throws Error (usage).
Request request_of_rung(const std::string& rung);

/// What bench kernels compares a rung with: "fft", "fft2d", "sum" or "histogram". Throws Error (usage) for other algorithms.
std::string family_of(const std::string& algorithm);

/// What is compared with each other: histograms of other values are other problems.
struct BenchProblem {
  std::string family, type, signal;  // the latter two of histograms alone: "uint", "random:1"
  auto operator<=>(const BenchProblem&) const = default;
};
/// The problem that a rung solves. Throws Error (usage) for a rung that there is not.
BenchProblem problem_of_rung(const std::string& rung);

/// Whether an algorithm takes a parameter.
bool takes(const Algorithm& algorithm, const std::string& parameter);

/// A rung at a size: n points, or columns of fft2d, in so many rows (0: one transform), for a device: with its processors, and
/// another rung where its local memory is too small. Throws Error (usage) where the rung does not take the size.
Plan plan_of_rung(const Request& request, std::uint64_t n, std::uint64_t rows, const DeviceInfo& device);

}  // namespace twiddle
