// The folder that a recording is written to: events as lines, the log's bytes by several threads into several files (writes to one
// file wait for each other in the kernel).
#pragma once

#include "record/cuda/record_format.h"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdio>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace twiddle_cuda {

/// "…" with what JSON wants escaped; other bytes than UTF-8's are the caller's.
std::string quoted(std::string_view text);

class LogFolder {
 public:
  /// Makes the folder and its files. False, with `reason`, when that fails.
  bool open(const std::string& folder, int files, std::string& reason);
  ~LogFolder();

  /// One JSON object; on disk when this returns. After the first failure nothing more is written, and the failure is in the
  /// events if there is room for it.
  void event(const std::string& object);
  /// A file of its own, whole or not there at all.
  void file(const std::string& name, const void* bytes, std::size_t count);

  /// Bytes at a position of the log are written by and by; `done` is called by a writer once all pieces that share it are.
  void write(const char* bytes, std::size_t count, std::uint64_t at, std::shared_ptr<void> done);
  /// Something could not be written: what comes after it is not, either.
  bool failed() const { return failed_; }
  /// Waits until all is written.
  void flush();

 private:
  struct Piece {
    const char* bytes;
    std::size_t count;
    std::uint64_t at;
    std::shared_ptr<void> done;
  };
  void work();
  bool put(const Piece& piece);

  std::string folder_;
  FILE* events_ = nullptr;
  std::mutex events_lock_;
  std::vector<int> files_;
  std::vector<std::thread> threads_;
  std::mutex lock_;
  std::condition_variable more_, idle_;
  std::deque<Piece> pieces_;
  std::size_t busy_ = 0;
  bool closing_ = false;
  std::atomic<bool> failed_{false};
};

}  // namespace twiddle_cuda
