// The desktop's own dialog to choose a file: a program of the desktop's (zenity, kdialog), waited for in a thread of its own.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <future>
#include <optional>
#include <string>

namespace twiddle {

class FileDialog {
 public:
  /// `wake` is called from another thread when the dialog has been closed.
  explicit FileDialog(std::function<void()> wake);
  /// Closes the dialog if one is open.
  ~FileDialog();
  FileDialog(const FileDialog&) = delete;
  FileDialog& operator=(const FileDialog&) = delete;

  /// Whether this machine has such a program.
  static bool possible();
  /// Asks for a trace or a plan, beginning in a folder (empty: the desktop's default). One at a time.
  void open(const std::string& title, const std::filesystem::path& folder);
  bool running() const { return thread_.valid(); }

  struct Outcome {
    std::filesystem::path file;  // empty: nothing was chosen
    std::string error;           // the dialog could not be shown: a sentence
  };
  /// Its outcome, once.
  std::optional<Outcome> take();

 private:
  std::function<void()> wake_;
  std::atomic<bool> stop_ = false;
  std::future<Outcome> thread_;
};

}  // namespace twiddle
