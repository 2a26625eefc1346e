// Which value of a run is made of which others, and how: from the accesses of runs on random inputs, without knowing the
// algorithm.
#pragma once

#include "kernels/plan/plan.h"
#include "tracer/access/access.h"
#include "tracer/runtime/runtime.h"

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace twiddle {

/// Values and the sums that they are. A value is what one component of memory holds until it is written again, or, where all
/// values of a run are complex, two neighbouring ones. Each comes behind what it is made of.
struct ValueFlow {
  struct Value {
    int launch = 0, epoch = 0;  // launch from 1; 0: what memory held at first
    std::uint64_t item = 0;
    int site = -1;                              // index into sites; −1: no item wrote it
    std::int64_t input = -1;                    // what is read of the input first: its number, by buffer and place
    std::vector<std::uint32_t> reads;           // values that the item had read, none twice
    std::vector<std::complex<double>> factors;  // of these; the value is their sum
  };
  using Place = std::pair<std::size_t, std::uint64_t>;  // index into Plan::buffers, byte

  bool complex = false;
  std::size_t step = 4;           // bytes of a value
  std::vector<AccessSite> sites;  // that write
  std::vector<Value> values;
  std::map<Place, std::uint32_t> last;   // what is there at the end
  std::map<Place, std::int64_t> inputs;  // the number of what was there at first
};

/// Runs the plan some times, with `inputs` (indices into Plan::buffers) random, and finds how what is written comes of what its
/// item had read. Nothing where a run's accesses are not known or differ with the input, where items race, or where a value is
/// no linear map of what its item had read: then nothing is known. Throws Error as runs do.
std::optional<ValueFlow> value_flow_of(const Plan& plan, Runtime& runtime, const std::vector<std::size_t>& inputs);

}  // namespace twiddle
