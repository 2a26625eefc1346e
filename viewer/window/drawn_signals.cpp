#include "viewer/window/drawn_signals.h"

#include "base/error.h"

#include <fstream>
#include <system_error>

#include <stdlib.h>

namespace fs = std::filesystem;

namespace twiddle {

DrawnSignals::~DrawnSignals() {
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

fs::path DrawnSignals::write(const std::string& csv) {
  if (folder_.empty()) {
    std::error_code failed;
    std::string name = (fs::temp_directory_path(failed) / "twiddle-drawn-XXXXXX").string();
    if (failed || !mkdtemp(name.data()))
      throw unreadable("the signal cannot be kept: {} cannot be written; set TMPDIR to a folder that can", name);
    folder_ = name;
  }
  fs::path file = folder_ / ("drawn-" + std::to_string(++count_) + ".csv");
  std::ofstream out(file, std::ios::binary);
  out << csv;
  if (!out.flush()) throw unreadable("the signal cannot be kept: {} cannot be written", file.string());
  return file;
}

}  // namespace twiddle
