// What takes too long for a frame: computed by a thread of its own, and asked for frame by frame.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <optional>
#include <utility>

namespace twiddle {

template <typename T>
class Background {
 public:
  /// `work` reads nothing that another thread changes, throws nothing, and looks at `stop` often: the destructor waits for it.
  explicit Background(std::function<T(const std::atomic<bool>& stop)> work)
      : work_(std::async(std::launch::async, [this, work = std::move(work)] { return work(stop_); })) {}
  ~Background() {
    stop_ = true;
    if (work_.valid()) work_.wait();
  }
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  /// The result; null while it is not there, after waiting for at most so long.
  const T* result(double patience_ms) {
    constexpr double longest_ms = 1e9;
    const std::chrono::duration<double, std::milli> wait(std::clamp(patience_ms, 0.0, longest_ms));
    if (!result_ && work_.wait_for(wait) == std::future_status::ready) result_ = work_.get();
    return result_ ? &*result_ : nullptr;
  }

 private:
  std::atomic<bool> stop_ = false;
  std::future<T> work_;  // after what it reads
  std::optional<T> result_;
};

}  // namespace twiddle
