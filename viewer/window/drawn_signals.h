// Signals drawn by hand, as files that a run reads like any other; gone with the window.
#pragma once

#include <filesystem>
#include <string>

namespace twiddle {

class DrawnSignals {
 public:
  DrawnSignals() = default;
  ~DrawnSignals();
  DrawnSignals(const DrawnSignals&) = delete;
  DrawnSignals& operator=(const DrawnSignals&) = delete;

  /// A file of its own for each. Throws Error (unreadable) when it cannot be written.
  std::filesystem::path write(const std::string& csv);

 private:
  std::filesystem::path folder_;
  int count_ = 0;
};

}  // namespace twiddle
