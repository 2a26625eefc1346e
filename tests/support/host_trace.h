// A run on the host, kept in memory, and a window's content that runs until nothing is under way.
#pragma once

#include "kernels/catalogue/catalogue.h"
#include "tracer/host/host_runtime.h"
#include "tracer/run/tracer.h"
#include "tracer/store/memory_trace.h"
#include "viewer/session/window_content.h"

#include <doctest.h>

#include <chrono>
#include <memory>
#include <thread>

namespace twiddle {

inline std::shared_ptr<const TraceSource> host_trace(const Request& request) {
  const std::unique_ptr<Runtime> runtime = open_host_runtime();
  MemoryTrace trace;
  TraceOptions options;
  options.accesses = Accesses::None;
  trace_plan(make_plan(request), *runtime, options, trace);
  return trace.finish();
}

/// Until nothing is under way.
inline void settle(WindowContent& content) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(120);
  while (std::chrono::steady_clock::now() < end) {
    content.poll();
    if (!content.busy()) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  FAIL("it does not end");
}

}  // namespace twiddle
