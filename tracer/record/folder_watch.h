// Sees files appear in folders without looking again and again.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>

namespace twiddle {

class FolderWatch {
 public:
  FolderWatch();
  ~FolderWatch();
  FolderWatch(const FolderWatch&) = delete;
  FolderWatch& operator=(const FolderWatch&) = delete;

  enum class For {
    Files,    // that appear whole, by renaming (RawFileWriter)
    Folders,  // that are made
  };
  void add(const std::filesystem::path& folder, For what);

  /// Returns when something has appeared since the last time, or wake() was called, or after so long. Where the system gives no
  /// notice: after 5 ms at most.
  void wait(std::chrono::milliseconds longest);
  /// Another thread's wait ends now, or the next one at once.
  void wake();

 private:
  int descriptor_ = -1, woken_ = -1;
  bool complete_ = true;  // every folder that was added is watched
};

/// Waits until a file of RawFileWriter's appears. False: it did not within `longest`, or `in_vain`, which is asked ten times a
/// second, says that it will not be written.
bool await_file(const std::filesystem::path& file, std::chrono::milliseconds longest,
                const std::function<bool()>& in_vain);

}  // namespace twiddle
