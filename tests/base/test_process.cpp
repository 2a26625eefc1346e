#include "base/process.h"

#include "test_support.h"

#include <doctest.h>

#include <filesystem>

using namespace twiddle;

TEST_CASE("programs are found on the PATH, or by their path") {
  CHECK(find_program("sh").filename() == "sh");
  CHECK(find_program("/bin/sh") == "/bin/sh");
  CHECK(find_program("no-such-program").empty());
  CHECK(find_program("/bin").empty());
  CHECK(find_program("").empty());
}

TEST_CASE("a program's output, errors and exit code come back") {
  const ProcessResult result = run_process({"sh", "-c", "echo out; echo err >&2; exit 3"}, 60);
  CHECK(result.output == "out\n");
  CHECK(result.errors == "err\n");
  CHECK(result.status == 3);
  CHECK_FALSE(result.timed_out);

  // Arguments reach it as they are, in the folder asked for, with nothing to read.
  CHECK(run_process({"printf", "%s", "a b;$(c)"}, 60).output == "a b;$(c)");
  CHECK(run_process({"sh", "-c", "pwd"}, 60, "/").output == "/\n");
  CHECK(run_process({"cat"}, 60).output.empty());
  CHECK(run_process({"sh", "-c", "kill -9 $$"}, 60).status == 128 + 9);

  // More than a pipe holds.
  CHECK(run_process({"sh", "-c", "head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2"}, 60).errors.size() ==
        1000000);
}

TEST_CASE("a program that takes too long is ended") {
  const ProcessResult result = run_process({"sleep", "1000"}, 0.05);
  CHECK(result.timed_out);
  CHECK(result.status == 128 + 9);
}

TEST_CASE("a program that is not there is named") {
  CHECK(exit_code_of([] { run_process({"no-such-program"}, 1); }) == ExitCode::no_device);
  CHECK(sentence_of([] { run_process({"no-such-program"}, 1); }).find("no-such-program") != std::string::npos);
}
