// A folder for what is needed only while something runs.
#pragma once

#include "base/error.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace twiddle {

/// A folder of our own under the system's temporary one, removed with everything in it at the end of the scope.
class TemporaryFolder {
 public:
  /// Throws Error (`code`) with `purpose` before the reason, e.g. "the signal cannot be kept".
  explicit TemporaryFolder(ExitCode code = ExitCode::usage, const char* purpose = "");
  /// The same for what outlives a scope, and the process where it is killed: the first folder of this `kind` ("cuda") that is made
  /// later removes those that no process holds any more. Throws Error (usage) with `purpose` before the reason.
  struct Held {
    std::string_view kind;
    const char* purpose = "";
  };
  explicit TemporaryFolder(Held held);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  TemporaryFolder(ExitCode code, const char* purpose, const std::string& name);
  std::filesystem::path path_;
  int lock_ = -1;  // of a held one: locked as long as this process, or one that it forked, is there
};

}  // namespace twiddle
