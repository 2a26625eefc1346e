// Where the mistake is that makes a linear program's outcome wrong: which stores could make all of it right with other factors.
#pragma once

#include "kernels/plan/plan.h"
#include "tracer/runtime/runtime.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace twiddle {

/// Stores of some lines of a kernel: of one, or the fewest together that can make all of the outcome right with other factors of
/// what the items had read.
struct LocatedStores {
  std::string file;           // as traces name it
  std::string function;       // the kernel
  std::vector<int> lines;     // ascending; empty: all of the kernel's, and fewer were not tried or cannot
  bool right = false;         // they can
  double left = 1;            // of the error, at best
  std::uint64_t changed = 0;  // where they can: values that are made with other factors
};

struct Located {
  bool known = false;  // else nothing is known, and nothing below is there
  std::vector<LocatedStores> stores;
};

/// Runs the plan on random inputs and tries each line's stores. The outcome has to be a linear map of the input that the plan's
/// expectation computes (or the plan itself, in another buffer). `late` ends it. Throws Error as runs do.
Located locate(const Plan& plan, Runtime& runtime, const std::function<bool()>& late);

/// Whether other factors in these make all right, or as much as some steps of a search show.
bool can_be(const LocatedStores& stores);

std::string to_text(const Located& located);
Located located_from(const std::string& text);

}  // namespace twiddle
