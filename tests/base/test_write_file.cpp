// A file is there whole or not at all, with anything there before, and nothing else is left behind.
#include "base/write_file.h"

#include "base/read_file.h"
#include "base/temporary_folder.h"

#include <doctest.h>

#include <cerrno>
#include <csignal>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace twiddle;
namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t max_read = 1 << 20;

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

// In a process of its own, which may limit itself and redirect its output.
bool holds_in_child(const std::function<bool()>& condition) {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) ::_exit(condition() ? 0 : 1);
  int status = 1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return status == 0;
}

}  // namespace

TEST_CASE("a file is written as it is, anew or in place of another") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "file";
  for (const std::string& content :
       {std::string("first"), std::string(), std::string("\0\xff\r\n", 4), std::string(100000, 'x')}) {
    write_file(file, content);
    CHECK(read_file(file, max_read) == content);
  }
  CHECK(files_in(folder.path()) == 1);
}

TEST_CASE("a name that leaves no room for a longer one") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / std::string(255, 'n');
  write_file(file, "content");
  CHECK(read_file(file, max_read) == "content");
}

TEST_CASE("what is replaced hands over its permissions") {
  const TemporaryFolder folder;
  for (const auto permissions : {fs::perms(0600), fs::perms(0755), fs::perms(0640)}) {
    const fs::path file = folder.path() / "file";
    write_file(file, "before");
    fs::permissions(file, permissions);
    write_file(file, "after");
    CHECK(fs::status(file).permissions() == permissions);
    CHECK(read_file(file, max_read) == "after");
    fs::remove(file);
  }
}

TEST_CASE("a symbolic link stays, and what it leads to is written") {
  const TemporaryFolder folder;
  const fs::path link = folder.path() / "link", next = folder.path() / "next", file = folder.path() / "sub" / "file";
  fs::create_directory(file.parent_path());
  fs::create_symlink("next", link);
  fs::create_symlink(fs::path("sub") / "file", next);
  for (const char* content : {"it was not there yet", "it was there"}) {
    write_file(link, content);
    CHECK(fs::is_symlink(link));
    CHECK(fs::is_symlink(next));
    CHECK(read_file(file, max_read) == content);
  }
  CHECK(files_in(folder.path()) == 3);
  CHECK(files_in(file.parent_path()) == 1);
}

TEST_CASE("why a file cannot be written is said, with the caller's exit code") {
  const TemporaryFolder folder;
  fs::create_directory(folder.path() / "taken");
  struct Case {
    fs::path file;
    int why;
  };
  for (const Case& c :
       {Case{folder.path() / "none" / "file", ENOENT}, {folder.path() / "taken", EISDIR}, {"/dev/full", ENOSPC}}) {
    CHECK(try_write_file(c.file, "content") == std::error_code(c.why, std::generic_category()));
    for (const ExitCode code : {ExitCode::usage, ExitCode::no_device}) {
      try {
        write_file(c.file, "content", code);
        FAIL("written");
      } catch (const Error& error) {
        CHECK(error.code() == code);
        CHECK(std::string(error.what()).find(c.file.string()) != std::string::npos);
      }
    }
  }
  CHECK(files_in(folder.path()) == 1);
  CHECK_THROWS_AS(PendingFile(folder.path() / "taken"), Error);
}

TEST_CASE("where there is no more room, what was there stays") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "file";
  write_file(file, "before");
  CHECK(holds_in_child([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit few{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &few);
    return try_write_file(file, std::string(5000, 'x')) == std::error_code(EFBIG, std::generic_category());
  }));
  CHECK(read_file(file, max_read) == "before");
  CHECK(files_in(folder.path()) == 1);
}

TEST_CASE("what is open as standard output is gone on with") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "log";
  write_file(file, "before\n");
  CHECK(holds_in_child([&] {
    const int log = ::open(file.c_str(), O_WRONLY | O_APPEND);
    return log >= 0 && ::dup2(log, 1) == 1 && !try_write_file("/dev/stdout", "after\n");
  }));
  CHECK(read_file(file, max_read) == "before\nafter\n");
  CHECK(files_in(folder.path()) == 1);
}

TEST_CASE("a file that is given up leaves what was there") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "file";
  write_file(file, "before");
  {
    const PendingFile pending(file);
    write_file(pending.path(), "half");
    CHECK(files_in(folder.path()) == 2);
  }
  CHECK(read_file(file, max_read) == "before");
  CHECK(files_in(folder.path()) == 1);
}

TEST_CASE("of many that write the same file at once, each writes a whole one") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "file";
  std::vector<std::thread> threads;
  std::vector<int> failed(8);
  for (std::size_t t = 0; t < failed.size(); ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i)
        if (try_write_file(file, std::string(10000, static_cast<char>('a' + t)))) ++failed[t];
    });
  for (std::thread& thread : threads) thread.join();
  for (const int count : failed) CHECK(count == 0);
  const std::string left = read_file(file, max_read);
  REQUIRE(left.size() == 10000);
  CHECK(left == std::string(10000, left[0]));
  CHECK(files_in(folder.path()) == 1);
}
