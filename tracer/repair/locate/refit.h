// Whether other factors in some places of a program would make all of its outcome right.
#pragma once

#include "tracer/repair/locate/value_flow.h"

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace twiddle {

/// What a program made of values should leave: for some inputs, directions, each output.
struct WantedFlow {
  std::size_t directions = 0;
  std::vector<std::complex<double>> inputs;  // [ValueFlow::inputs][directions]
  std::vector<std::int64_t> outputs;         // values; −1: no item wrote it, and it is 0
  std::vector<std::complex<double>> wanted;  // [outputs][directions]
};

/// A factor that changes: of value `value`, its read number `read`.
struct ChangedFactor {
  std::uint32_t value = 0;
  std::size_t read = 0;
  std::complex<double> was, is;
};

struct Refit {
  double left = 1;  // of the outcome's error, by its norm
  bool right = false;
  std::vector<ChangedFactor> changes;  // where it is right
};

class FlowFit {
 public:
  FlowFit(const ValueFlow& flow, const WantedFlow& wanted);

  /// |outcome − wanted| / |wanted| as it is.
  double error() const { return error_; }
  /// Other factors of the values that `free` says, each of what its item had read. By Gauss–Newton with conjugate gradients;
  /// of what is right the nearest to what there is. `late` ends it.
  Refit refit(const std::function<bool(const ValueFlow::Value&)>& free, const std::function<bool()>& late) const;
  /// What it costs: one pass over the values in each direction.
  std::size_t pass() const { return pass_; }

 private:
  using Complex = std::complex<double>;
  using Numbers = std::vector<Complex>;
  Numbers forward(const std::vector<std::vector<Complex>>& factors) const;
  double distance(const Numbers& values, Numbers* apart = nullptr) const;

  const ValueFlow& flow_;
  const WantedFlow& wanted_;
  double size_ = 0, error_ = 0;
  std::size_t pass_ = 0;
};

}  // namespace twiddle
