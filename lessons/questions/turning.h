// A butterfly of the log with its twiddle factor taken out: what its outputs would be with another one.
#pragma once

#include "tracer/trace/operation.h"
#include "tracer/trace/trace.h"

#include <array>
#include <complex>
#include <optional>
#include <string>
#include <string_view>

namespace twiddle {

struct Turning {
  using Complex = std::complex<double>;
  std::array<std::string, 2> reads, writes;  // their elements: "F[3]"
  std::array<Complex, 2> inputs{}, logged{};
  bool behind = false;  // the factor turns the difference, a + b and w(a − b), not b: a + wb and a − wb

  std::array<Complex, 2> outputs(Complex w) const {
    const auto& [a, b] = inputs;
    return behind ? std::array{a + b, w * (a - b)} : std::array{a + w * b, a - w * b};
  }
  /// What the factor turns, which may be 0: then no factor can be told from another.
  Complex turned() const { return behind ? inputs[0] - inputs[1] : inputs[1]; }
};

/// Nothing where the operation is no butterfly of two complex numbers with values, or its outputs are not those of either form.
std::optional<Turning> turning_of(const TraceInfo& info, const Operation& op);

/// "F[3] would become (1.657, −4); the log has (−4, 1.657).", or that no factor would be seen.
std::string would_be(const Turning& turning, Turning::Complex w, std::string_view language);

}  // namespace twiddle
