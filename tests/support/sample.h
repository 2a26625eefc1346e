// Long tables are for the night: which of their cases a push tests.
#pragma once

#include <cstddef>
#include <cstdlib>

namespace twiddle::tests {

/// Are all cases tested, as .ci/nightly does?
inline bool all_cases() {
  const char* const all = std::getenv("TWIDDLE_TEST_ALL");
  return all && *all;
}

/// One of so many cases in turn, from the `first` on; all of them at night.
class Sample {
 public:
  explicit Sample(std::size_t one_of, std::size_t first = 0) : one_of_(one_of), number_(one_of - first % one_of) {}

  /// Is the next case left out?
  bool skips() { return number_++ % one_of_ != 0 && !all_cases(); }

 private:
  std::size_t one_of_, number_;
};

}  // namespace twiddle::tests

namespace twiddle {
using tests::all_cases;
using tests::Sample;
}  // namespace twiddle
