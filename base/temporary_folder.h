// A folder for what is needed only while something runs.
#pragma once

#include "base/error.h"

#include <filesystem>

namespace twiddle {

/// A folder of our own under the system's temporary one, removed with everything in it at the end of the scope.
class TemporaryFolder {
 public:
  /// Throws Error (`code`) with `purpose` before the reason, e.g. "the signal cannot be kept".
  explicit TemporaryFolder(ExitCode code = ExitCode::usage, const char* purpose = "");
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace twiddle
