#include "base/temporary_folder.h"

#include <cerrno>
#include <cstring>
#include <ctime>
#include <string>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace twiddle {

namespace {

constexpr std::time_t young_seconds = 60;  // so old is a folder that no process will lock any more

fs::path temporary_path() {
  std::error_code failed;
  const fs::path base = fs::temp_directory_path(failed);
  return failed ? fs::path("/tmp") : base;
}

// −1: another process has it, or the file system knows no locks.
int locked(const fs::path& folder) {
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (file >= 0 && ::flock(file, LOCK_EX | LOCK_NB) == 0) return file;
  if (file >= 0) ::close(file);
  return -1;
}

void remove_abandoned(const std::string& prefix) {
  std::error_code failed;
  for (fs::directory_iterator at(temporary_path(), failed), end; !failed && at != end; at.increment(failed)) {
    const std::string name = at->path().filename().string();
    if (name.size() != prefix.size() + 6 || name.rfind(prefix, 0) != 0) continue;
    struct stat about {};
    if (::lstat(at->path().c_str(), &about) != 0 || !S_ISDIR(about.st_mode) || about.st_uid != ::getuid()) continue;
    if (about.st_mtime > std::time(nullptr) - young_seconds) continue;
    const int lock = locked(at->path());
    if (lock < 0) continue;
    std::error_code ignored;
    fs::remove_all(at->path(), ignored);
    ::close(lock);
  }
}

}  // namespace

TemporaryFolder::TemporaryFolder(ExitCode code, const char* purpose)
    : TemporaryFolder(code, purpose, "twiddle-XXXXXX") {}

TemporaryFolder::TemporaryFolder(ExitCode code, const char* purpose, const std::string& pattern) {
  std::string name = (temporary_path() / pattern).string();
  if (!::mkdtemp(name.data()))
    throw Error(code, Message("{}{}no temporary folder could be made as {}: {}; set TMPDIR to one that can be written",
                              purpose, std::string_view(purpose).empty() ? "" : ": ", name, std::strerror(errno)));
  path_ = name;
}

TemporaryFolder::TemporaryFolder(Held held)
    : TemporaryFolder(ExitCode::usage, held.purpose, "twiddle-" + std::string(held.kind) + "-XXXXXX") {
  lock_ = locked(path_);
  remove_abandoned("twiddle-" + std::string(held.kind) + "-");
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  if (lock_ >= 0) ::close(lock_);
}

}  // namespace twiddle
