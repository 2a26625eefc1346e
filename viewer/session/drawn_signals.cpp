#include "viewer/session/drawn_signals.h"

#include <fstream>

namespace fs = std::filesystem;

namespace twiddle {

fs::path DrawnSignals::write(const std::string& csv) {
  if (!folder_) folder_.emplace(ExitCode::unreadable, "the signal cannot be kept");
  fs::path file = folder_->path() / ("drawn-" + std::to_string(++count_) + ".csv");
  std::ofstream out(file, std::ios::binary);
  out << csv;
  if (!out.flush()) throw unreadable("the signal cannot be kept: {} cannot be written", file.string());
  return file;
}

}  // namespace twiddle
