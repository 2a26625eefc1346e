// The test program's main; every other file of this folder is a module's tests.
#define DOCTEST_CONFIG_IMPLEMENT
#include "tracer/runtimes/open_runtime.h"

#include <doctest.h>

int main(int count, char** arguments) {
  twiddle::allow_probes(count, arguments);
  return doctest::Context(count, arguments).run();
}
