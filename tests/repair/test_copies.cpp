// Copies of this process that try changed kernels.
#include "tracer/repair/copies.h"
#include "tracer/runtime/runtime.h"

#include <doctest.h>

#include <unistd.h>

using namespace twiddle;

TEST_CASE("a copy ends with a kernel that was stopped, the process that waits for it does not") {
  const auto asked = [] { return std::string(ends_with_stopped_launch() ? "ends" : "stays"); };
  CHECK(text_of_copy(true, asked) == "ends");
  CHECK(text_of_copy(false, asked) == "stays");
  CHECK(!ends_with_stopped_launch());
}

TEST_CASE("what an earlier change broke is not held against a later one") {
  bool broken = false;  // in the copy
  const std::vector<std::uint16_t> answers = answers_of_copies(4, 60, [&](std::size_t k) -> std::uint16_t {
    if (broken) ::_exit(1);
    broken = k == 1;
    return static_cast<std::uint16_t>(10 + k);
  });
  CHECK(answers == std::vector<std::uint16_t>{10, 11, 12, 13});
}

TEST_CASE("a change that ends its copy is wrong, and the next ones are still tried") {
  const std::vector<std::uint16_t> answers = answers_of_copies(5, 60, [](std::size_t k) -> std::uint16_t {
    if (k == 1 || k == 3) ::_exit(1);
    return static_cast<std::uint16_t>(10 + k);
  });
  CHECK(answers == std::vector<std::uint16_t>{10, 0, 12, 0, 14});
}
