// The OpenCL device that the tests of a file share.
#pragma once

#include "base/error.h"
#include "tracer/runtimes/open_runtime.h"

#include <memory>

namespace twiddle {

/// Null where there is none: then those tests have nothing to run on.
inline Runtime* opencl() {
  static const std::unique_ptr<Runtime> runtime = [] {
    try {
      return open_runtime("opencl", 0);
    } catch (const Error&) { return std::unique_ptr<Runtime>(); }
  }();
  return runtime.get();
}

}  // namespace twiddle
