// The test program's main; every other file of this folder is a module's tests.
#define DOCTEST_CONFIG_IMPLEMENT
#include "sample.h"
#include "tracer/runtimes/open_runtime.h"

#include <doctest.h>

#include <cstdlib>

int main(int count, char** arguments) {
  // CTest has most rooms compile kernels quickly; at night all do so as users do.
  if (twiddle::all_cases() && std::getenv("TWIDDLE_TEST_QUICK_KERNELS"))
    for (const char* name : {"CXX", "POCL_EXTRA_BUILD_FLAGS"}) ::unsetenv(name);
  twiddle::allow_probes(count, arguments);
  return doctest::Context(count, arguments).run();
}
