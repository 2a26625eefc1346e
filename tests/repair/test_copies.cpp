// Copies of this process that try changed kernels.
#include "tracer/repair/copies.h"
#include "tracer/runtime/runtime.h"

#include <doctest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <stdexcept>
#include <string>

using namespace twiddle;

TEST_CASE("a copy ends with a kernel that was stopped, the process that waits for it does not") {
  const auto asked = [] { return std::string(ends_with_stopped_launch() ? "ends" : "stays"); };
  CHECK(text_of_copy(true, asked) == "ends");
  CHECK(text_of_copy(false, asked) == "stays");
  CHECK(!ends_with_stopped_launch());
}

TEST_CASE("a copy has less time for one part of what it does, and the process that waits for it as long as it takes") {
  limit_copy(1);  // no copy
  const auto begun = std::chrono::steady_clock::now();
  CHECK(text_of_copy(
            true,
            [] {
              limit_copy(1);
              for (;;) ::pause();
              return std::string("never");
            },
            600)
            .empty());
  CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(300));
  CHECK(text_of_copy(
            true,
            [] {
              limit_copy(600);
              ::usleep(1500000);
              return std::string("in time");
            },
            1) == "in time");
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

TEST_CASE("several copies share out what is asked, and each goes on behind what ends it") {
  std::vector<std::uint16_t> wanted;
  for (std::uint16_t k = 0; k < 100; ++k) wanted.push_back(k % 30 == 7 ? 0 : 10 + k);
  const pid_t own = ::getpid();
  for (const std::size_t at_once : {std::size_t(1), std::size_t(3), std::size_t(50)}) {
    CAPTURE(at_once);
    std::vector<std::uint16_t> answers = answers_of_copies(
        100, 60,
        [&](std::size_t k) -> std::uint16_t {
          if (k % 30 == 7 || ::getpid() == own) ::_exit(1);
          return static_cast<std::uint16_t>(10 + k);
        },
        at_once);
    CHECK(answers == wanted);
  }
}

TEST_CASE("of what several copies take, one's part is this process's time") {
  const auto busy = [](std::size_t) -> std::uint16_t {
    for (const double end = processor_seconds() + 0.02; processor_seconds() < end;) {}
    return 1;
  };
  const double before = processor_seconds(), beside = seconds_beside();
  CHECK(answers_of_copies(16, 60, busy, 2) == std::vector<std::uint16_t>(16, 1));
  const double own = processor_seconds() - before, others = seconds_beside() - beside;
  CHECK(own + others > 0.3);
  CHECK(others > 0.1);
  CHECK(others < own + 0.1);
}

TEST_CASE("what a copy does first is done in each") {
  int begun = 0;
  begin_copies_with([&] { begun = 5; });
  const auto asked = [&] { return std::to_string(begun); };
  CHECK(text_of_copy(true, asked) == "5");
  begin_copies_with({});
  CHECK(text_of_copy(true, asked) == "0");
  CHECK(begun == 0);
}

TEST_CASE("a build that takes too long ends the process that it is in, and what comes after a build does not") {
  // Works for as long as it is let, or for so many seconds of the processor more.
  const auto works = [](double seconds) {
    for (const double end = processor_seconds() + seconds; seconds <= 0 || processor_seconds() < end;) {}
  };
  const auto status_of = [](const std::function<void()>& there) {
    const pid_t child = ::fork();
    if (child == 0) {
      there();
      ::_exit(7);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    return status;
  };
  const int ended = status_of([&] {
    const BuildLimit limit(0.05);
    works(0);
  });
  CHECK((WIFSIGNALED(ended) && WTERMSIG(ended) == SIGPROF));
  const int went_on = status_of([&] {
    { const BuildLimit limit(0.05); }
    works(0.2);
  });
  CHECK((WIFEXITED(went_on) && WEXITSTATUS(went_on) == 7));
  const int unlimited = status_of([&] {
    const BuildLimit limit(0);
    works(0.2);
  });
  CHECK((WIFEXITED(unlimited) && WEXITSTATUS(unlimited) == 7));
  const int a_copy = status_of([&] {
    const BuildLimit limit(0.05);
    const std::string answer = text_of_copy(true, [&] {
      works(0.2);
      return std::string("all");
    });
    ::_exit(answer == "all" ? 7 : 1);
  });
  CHECK((WIFEXITED(a_copy) && WEXITSTATUS(a_copy) == 7));
}

TEST_CASE("a copy beside a process makes its text, and takes none of its time") {
  const auto busy = [] {
    const std::clock_t begun = std::clock();
    while (std::clock() - begun < CLOCKS_PER_SEC / 5) {}
  };
  const double before = processor_seconds(), beside_before = seconds_beside();
  CopyBeside copy([&] {
    busy();
    return std::string(100000, 'x') + "end";
  });
  REQUIRE(copy.begun());
  const std::optional<std::string> text = copy.text();
  REQUIRE(text);
  CHECK(text->size() == 100003);
  CHECK(text->ends_with("xend"));
  const double taken = seconds_beside() - beside_before;
  CHECK(taken > 0.15);
  CHECK(processor_seconds() - before < taken);
  CHECK(!copy.text());
}

TEST_CASE("of a copy that ends before its text there is none, and one that is not asked is ended") {
  CopyBeside ends([]() -> std::string { std::abort(); });
  CopyBeside throws([]() -> std::string { throw std::runtime_error("broken"); });
  CHECK(!ends.text());
  CHECK(!throws.text());
  int waiting[2];
  REQUIRE(::pipe(waiting) == 0);
  {
    const CopyBeside never([&] {
      for (;;) ::pause();
      return std::string();
    });
    ::close(waiting[1]);
  }
  // With the copy the last writer of the pipe is gone.
  char byte = 0;
  CHECK(::read(waiting[0], &byte, 1) == 0);
  ::close(waiting[0]);
}
