// A trace kept in memory, made and read without a file.
#pragma once

#include "tracer/store/trace_builder.h"

#include <memory>

namespace twiddle {

class MemoryTrace final : public TraceBuilder {
 public:
  MemoryTrace();

  /// The trace as it is now, marked as complete or not; nothing may be appended any more.
  std::shared_ptr<const TraceSource> finish(bool complete = true);

 private:
  class Kept;
  explicit MemoryTrace(std::shared_ptr<Kept> kept);
  std::shared_ptr<Kept> kept_;
};

}  // namespace twiddle
