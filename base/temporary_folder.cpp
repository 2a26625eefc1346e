#include "base/temporary_folder.h"

#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>

#include <stdlib.h>

namespace fs = std::filesystem;

namespace twiddle {

TemporaryFolder::TemporaryFolder(ExitCode code, const char* purpose) {
  std::error_code failed;
  const fs::path base = fs::temp_directory_path(failed);
  std::string name = ((failed ? fs::path("/tmp") : base) / "twiddle-XXXXXX").string();
  if (!::mkdtemp(name.data()))
    throw Error(code, Message("{}{}no temporary folder could be made as {}: {}; set TMPDIR to one that can be written",
                              purpose, std::string_view(purpose).empty() ? "" : ": ", name, std::strerror(errno)));
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace twiddle
