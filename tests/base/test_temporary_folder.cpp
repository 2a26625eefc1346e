// What a killed process leaves is removed by the next one, and what a living one needs is not.
#include "base/temporary_folder.h"

#include <doctest.h>

#include <chrono>
#include <fstream>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

using namespace twiddle;
namespace fs = std::filesystem;

namespace {

void make_old(const fs::path& folder) {
  fs::last_write_time(folder, fs::file_time_type::clock::now() - std::chrono::hours(1));
}

}  // namespace

TEST_CASE("a held folder of a process that was killed goes with the next one's, another's stays") {
  const std::string kind = "test-" + std::to_string(::getpid());
  int told[2];
  REQUIRE(::pipe(told) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const TemporaryFolder folder(TemporaryFolder::Held{kind});
    std::ofstream(folder.path() / "log") << "bytes";
    const std::string path = folder.path().string();
    const bool sent = ::write(told[1], path.data(), path.size()) == static_cast<ssize_t>(path.size());
    ::_exit(sent ? 0 : 1);  // as if it was killed: nothing is taken back
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(status == 0);
  std::string path(4096, '\0');
  const ssize_t length = ::read(told[0], path.data(), path.size());
  ::close(told[0]);
  ::close(told[1]);
  REQUIRE(length > 0);
  path.resize(static_cast<std::size_t>(length));
  CHECK(fs::exists(fs::path(path) / "log"));

  const TemporaryFolder living(TemporaryFolder::Held{kind});
  CHECK(fs::exists(path));  // so young that its owner may be about to lock it
  make_old(path);
  make_old(living.path());
  fs::path third;
  {
    const TemporaryFolder next(TemporaryFolder::Held{kind});
    third = next.path();
    CHECK(!fs::exists(path));
    CHECK(fs::exists(living.path()));
  }
  CHECK(!fs::exists(third));
}
