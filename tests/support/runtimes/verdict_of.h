// What a plan comes to on a runtime, held against its double-precision reference.
#pragma once

#include "kernels/catalogue/reference.h"
#include "tracer/run/tracer.h"

#include <cstddef>

namespace twiddle {

inline Verdict verdict_of(const Plan& plan, Runtime& runtime) {
  const RunOutcome outcome = run_plan(plan, runtime);
  return verify(plan, {[&](std::size_t buffer) { return first_content(plan, plan.buffers[buffer]); },
                       [&](std::size_t buffer) { return outcome.buffers[buffer]; }});
}

}  // namespace twiddle
