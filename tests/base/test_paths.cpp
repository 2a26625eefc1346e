#include "base/paths.h"

#include "base/error.h"
#include "base/values/environment.h"
#include "base/version.h"
#include "environment.h"

#include <doctest.h>

#include <cstdlib>
#include <string>

using twiddle::Environment;

TEST_CASE("user folders follow the XDG variables") {
  SUBCASE("absolute") {
    Environment config("XDG_CONFIG_HOME", "/some/config");
    Environment cache("XDG_CACHE_HOME", "/some/cache");
    Environment data("XDG_DATA_HOME", "/some/data");
    CHECK(twiddle::config_directory() == "/some/config/twiddle");
    CHECK(twiddle::cache_directory() == "/some/cache/twiddle");
    CHECK(twiddle::data_directory() == "/some/data/twiddle");
  }
  SUBCASE("unset, or relative and so to be ignored") {
    Environment home("HOME", "/home/someone");
    Environment config("XDG_CONFIG_HOME", nullptr);
    Environment cache("XDG_CACHE_HOME", "relative");
    Environment data("XDG_DATA_HOME", "relative");
    CHECK(twiddle::config_directory() == "/home/someone/.config/twiddle");
    CHECK(twiddle::cache_directory() == "/home/someone/.cache/twiddle");
    CHECK(twiddle::data_directory() == "/home/someone/.local/share/twiddle");
  }
}

TEST_CASE("a variable of the environment that is not set is empty") {
  const Environment set("TWIDDLE_TEST_VARIABLE", "value");
  CHECK(twiddle::environment("TWIDDLE_TEST_VARIABLE") == "value");
  const Environment none("TWIDDLE_TEST_VARIABLE", nullptr);
  CHECK(twiddle::environment("TWIDDLE_TEST_VARIABLE").empty());
}

TEST_CASE("the program knows its version and its optional parts") {
  CHECK(std::string(twiddle::program_version).find('.') != std::string::npos);
  bool window_listed = false;
  for (const twiddle::BuildPart& part : twiddle::build_parts)
    if (std::string(part.name) == "window") window_listed = part.present == (TWIDDLE_HAVE_WINDOW != 0);
  CHECK(window_listed);
}

TEST_CASE("errors carry their sentence and exit code") {
  const twiddle::Error error = twiddle::usage_error("no algorithm is called {}", "ftt");
  CHECK(std::string(error.what()) == "no algorithm is called ftt");
  CHECK(error.code() == twiddle::ExitCode::usage);
}
