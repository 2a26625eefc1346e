// Rungs, as benches are asked for them: an algorithm, with parameters behind a colon.
#pragma once

#include "kernels/catalogue/catalogue.h"
#include "tracer/runtime/runtime.h"

#include <cstdint>
#include <string>

namespace twiddle {

/// "fft-registers", "fft-registers:method=scattered,group-size=128". Throws Error (usage).
Request request_of_rung(const std::string& rung);

/// Whether an algorithm takes a parameter.
bool takes(const Algorithm& algorithm, const std::string& parameter);

/// A rung at a size: n points, or columns of fft2d, in so many rows (0: one transform), for a device: with its processors, and
/// another rung where its local memory is too small. Throws Error (usage) where the rung does not take the size.
Plan plan_of_rung(const Request& request, std::uint64_t n, std::uint64_t rows, const DeviceInfo& device);

}  // namespace twiddle
