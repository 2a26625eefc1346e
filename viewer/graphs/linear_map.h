// An operation as a linear map of what it read, as far as the log explains it so.
#pragma once

#include "tracer/trace/operation.h"

#include <array>
#include <complex>
#include <optional>
#include <vector>

namespace twiddle {

/// How the values written are made of those read.
struct LinearMap {
  int reads = 0, writes = 0;
  int form = 0;  // which of the forms that an operation of this shape may have
  std::array<std::array<std::complex<double>, max_legs>, max_legs> factor{};  // [written][read]
};

/// The forms of an operation that give what was written, within float rounding; none where none does, and where the log does
/// not have the values. Zeros fit several: then the other operations of its line may tell.
std::vector<LinearMap> linear_maps(const Operation& op);
/// The first of them.
std::optional<LinearMap> linear_map(const Operation& op);

}  // namespace twiddle
