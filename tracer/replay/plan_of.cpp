#include "tracer/replay/plan_of.h"

namespace twiddle {

Plan plan_of(const TraceInfo& info) {
  Plan plan;
  plan.title = info.title;
  plan.algorithm = info.algorithm;
  plan.parameters = info.parameters;
  plan.signal = info.signal;
  plan.expect = info.expect;
  // Local arrays belong to launches and come last; a buffer keeps its number.
  for (const BufferInfo& buffer : info.buffers) {
    if (buffer.launch != 0) break;
    plan.buffers.push_back({buffer.name, buffer.type, buffer.count, buffer.shape, buffer.space, {}});
  }
  return plan;
}

}  // namespace twiddle
