// `twiddle new` to a verified trace, as a user with a kernel of their own begins.
#include "run_program.h"
#include "test_support.h"

#include <doctest.h>
#include <nlohmann/json.hpp>

using namespace twiddle;

TEST_CASE("what twiddle new writes is traced and verified as it is") {
  TestFolder folder;
  const Ran made = run_program(folder, {"new", "deep/fft"});
  CHECK_MESSAGE(made.code == 0, made.err);
  CHECK(contains(made.out, "twiddle view deep/fft/mine.toml\n"));
  const Ran traced = run_program(folder, {"trace", "deep/fft/mine.toml", "-o", "mine.twd"});
  CHECK(traced.code == 0);
  CHECK(traced.err == "");
  for (const char* subject : {"mine.twd", "deep/fft/mine.toml"}) {
    const Ran verified = run_program(folder, {"verify", subject, "--json"});
    CHECK(verified.code == 0);
    CHECK(nlohmann::json::parse(verified.out)["pass"] == true);
  }
  const Ran verified = run_program(folder, {"verify", "deep/fft/mine.toml", "--runtime", "host", "--json"});
  CHECK_MESSAGE(verified.code == 0, verified.err);
  CHECK(nlohmann::json::parse(verified.out)["pass"] == true);
  for (const char* runtime : {"opencl", "host"}) {
    const Ran checked = run_program(folder, {"check", "deep/fft/mine.toml", "--runtime", runtime});
    CHECK_MESSAGE(checked.code == 0, checked.out);
  }
  const nlohmann::json info = nlohmann::json::parse(run_program(folder, {"info", "mine.twd", "--json"}).out);
  CHECK(info["steps"] == 8 + 3 * 4);
  CHECK(info["unexplained"] == 0);
  CHECK(info["inconsistent_reads"] == 0);
}

TEST_CASE("twiddle new overwrites nothing") {
  TestFolder folder;
  std::ofstream(folder.file("mine.toml")) << "mine\n";
  check_failure(run_program(folder, {"new", "."}), 2, "mine.toml is there already");
  CHECK(folder.names() == std::vector<std::string>{"mine.toml"});
  CHECK(content_of(folder.file("mine.toml")) == "mine\n");
  check_failure(run_program(folder, {"new", "mine.toml"}), 2, "is no folder");
  check_failure(run_program(folder, {"new", "mine.toml/below"}), 2, "could not be made");
  check_failure(run_program(folder, {"new"}), 2, "needs DIR");
}
