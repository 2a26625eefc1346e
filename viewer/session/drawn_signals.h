// Signals drawn by hand, as files that a run reads like any other; gone with the window.
#pragma once

#include "base/temporary_folder.h"

#include <filesystem>
#include <optional>
#include <string>

namespace twiddle {

class DrawnSignals {
 public:
  /// A file of its own for each. Throws Error (unreadable) when it cannot be written.
  std::filesystem::path write(const std::string& csv);

 private:
  std::optional<TemporaryFolder> folder_;
  int count_ = 0;
};

}  // namespace twiddle
