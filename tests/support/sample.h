// Long tables are for the night: which of their cases a push tests.
#pragma once

#include <cstddef>
#include <cstdlib>

namespace twiddle::tests {

/// How many times fewer cases AddressSanitizer, with which code runs so much slower, looks at.
#ifdef TWIDDLE_ASAN
inline constexpr std::size_t slower = 3;
#else
inline constexpr std::size_t slower = 1;
#endif

/// Are all cases tested, as .ci/nightly does?
inline bool all_cases() {
  const char* const all = std::getenv("TWIDDLE_TEST_ALL");
  return all && *all;
}

/// Whose turn it is: `./twiddle test` sets a number that differs from commit to commit, and says which; 0 without.
inline std::size_t turn() {
  const char* const number = std::getenv("TWIDDLE_TEST_TURN");
  return number ? std::strtoul(number, nullptr, 10) : 0;
}

/// One of so many cases in turn, others in each turn, and from the `first` on in turn 0; all of them at night. AddressSanitizer,
/// which looks at how a case is done and not at what comes out, gets a third of these.
class Sample {
 public:
  explicit Sample(std::size_t one_of, std::size_t first = 0)
      : one_of_(one_of * slower), number_(one_of_ - (first + turn()) % one_of_) {}

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
