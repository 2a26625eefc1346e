// The host executor as the oracle: OpenCL C on a device and CUDA C++ here do the same.
#include "choices.h"
#include "runtimes/runtimes_agree.h"
#include "sample.h"
#include "tracer/runtimes/open_runtime.h"

#include <doctest.h>

#include <algorithm>

using namespace twiddle;

TEST_CASE("every algorithm does the same operations in the same slots on opencl and on the host") {
  const auto opencl = open_runtime("opencl", 0), host = open_runtime("host", 0);
  Sample first(6), second(12), choices(18);
  for (const Algorithm& algorithm : algorithms()) {
    const auto runs_on = [&](const char* runtime) {
      return std::find(algorithm.runtimes.begin(), algorithm.runtimes.end(), runtime) != algorithm.runtimes.end();
    };
    if (!runs_on("opencl") || !runs_on("host")) continue;
    CAPTURE(algorithm.id);
    if (!first.skips()) check_agreement(algorithm, 0, *opencl, *host);
    if (!second.skips()) check_agreement(algorithm, 1, *opencl, *host);
    for (const Request& request : with_each_choice(algorithm, request_for(algorithm, 0)))
      if (!choices.skips()) check_agreement(request, *opencl, *host);
  }
}
