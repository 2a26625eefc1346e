#include "tracer/record/folder_watch.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <thread>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace twiddle {

using namespace std::chrono_literals;

FolderWatch::FolderWatch()
    : descriptor_(inotify_init1(IN_CLOEXEC | IN_NONBLOCK)), woken_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

FolderWatch::~FolderWatch() {
  if (descriptor_ >= 0) close(descriptor_);
  if (woken_ >= 0) close(woken_);
}

void FolderWatch::add(const fs::path& folder, For what) {
  const std::uint32_t events = what == For::Files ? IN_MOVED_TO : IN_CREATE;
  if (descriptor_ < 0 || inotify_add_watch(descriptor_, folder.c_str(), events) < 0) complete_ = false;
}

void FolderWatch::wait(std::chrono::milliseconds longest) {
  if (!complete_ || descriptor_ < 0) {
    std::this_thread::sleep_for(std::min<std::chrono::milliseconds>(longest, 5ms));
    return;
  }
  // What has no number (−1) is left out.
  std::array<pollfd, 2> both{pollfd{descriptor_, POLLIN, 0}, pollfd{woken_, POLLIN, 0}};
  if (poll(both.data(), both.size(), static_cast<int>(longest.count())) <= 0) return;
  std::array<char, 4096> events{};
  while (read(descriptor_, events.data(), events.size()) > 0) {}
  if (both[1].revents != 0) static_cast<void>(read(woken_, events.data(), sizeof(std::uint64_t)));
}

void FolderWatch::wake() {
  const std::uint64_t one = 1;
  if (woken_ >= 0) static_cast<void>(write(woken_, &one, sizeof one) == sizeof one);
}

bool await_file(const fs::path& file, std::chrono::milliseconds longest, const std::function<bool()>& in_vain) {
  FolderWatch watch;
  watch.add(file.parent_path(), FolderWatch::For::Files);
  const auto begun = std::chrono::steady_clock::now();
  auto asked = begun;
  for (std::error_code failed; !fs::exists(file, failed);) {
    const auto now = std::chrono::steady_clock::now();
    if (now - begun >= longest) return false;
    if (now - asked >= 100ms) {
      if (in_vain()) return fs::exists(file, failed);  // it may have come just before
      asked = now;
    }
    watch.wait(100ms);
  }
  return true;
}

}  // namespace twiddle
