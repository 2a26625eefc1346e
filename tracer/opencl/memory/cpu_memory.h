// Kernels that an OpenCL driver runs on the processor run in this very process, and a wild index would end it or, worse,
// change it. So each of their buffers is alone in a range of reserved addresses that nothing else uses, and a launch is watched:
// what it touches out there is noted, goes to a page of its own that is dropped afterwards, and the kernel goes on, as it
// would on a GPU.
#pragma once

#include "tracer/runtime/kernel_signals.h"
#include "tracer/runtime/stray_access.h"

#include <array>
#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace twiddle {

/// Memory for one buffer, of zeros at first, page-aligned, with nothing but reserved addresses for up to 64 GiB before and
/// behind it: as far as 32-bit indices of 16-byte elements go.
class CpuMemory {
 public:
  /// Null where the system cannot reserve that many addresses.
  static std::shared_ptr<CpuMemory> reserve(std::size_t bytes);
  ~CpuMemory();
  CpuMemory(const CpuMemory&) = delete;
  CpuMemory& operator=(const CpuMemory&) = delete;

  std::span<std::byte> bytes() const { return {data_, size_}; }
  /// Whether an address is in this memory's reserved range.
  bool near(std::uintptr_t address) const { return address - first_ < reach_bytes_; }

 private:
  CpuMemory() = default;
  std::uintptr_t first_ = 0;  // of the reserved range
  std::size_t reach_bytes_ = 0;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t slot_ = 0;
};

/// While it exists, a launch is running whose kernel may fault on any thread, or a driver compiles, of which only its own
/// assertions are watched. KernelSignals with handled() have to be there, too.
class CpuLaunch {
 public:
  enum class Work { Kernel, Compiler };
  /// Throws Error (no_device) when too many launches were left running before.
  explicit CpuLaunch(Work work = Work::Kernel);
  ~CpuLaunch();
  CpuLaunch(const CpuLaunch&) = delete;
  CpuLaunch& operator=(const CpuLaunch&) = delete;

  /// Does `action`, which waits for the kernel or the compiler; returns early where the driver runs it on this very thread and
  /// it cannot go on.
  template <typename Action>
  void wait(const Action& action) {
    if (sigsetjmp(watch_->back, 1) != 0) return;
    watch_->can_go_back = true;
    action();
    watch_->can_go_back = false;
  }

  /// The signal of a kernel that could not go on, and whose thread therefore waits forever; 0: it can.
  int stopped_by() const { return watch_->signal.load(std::memory_order_acquire); }
  /// In the order in which they happened, the first of each page; call it when the kernel has ended.
  std::vector<StrayAccess> strays() const;
  /// The kernel stays behind: it is watched until the process ends.
  void leave_running() { watch_ = nullptr; }

  /// Threads of drivers that wait forever, in this process.
  static int threads_held() { return held.load(); }
  /// Called by the signal handler: true when a watched launch takes the fault.
  static bool handled(const KernelSignal& arrived);

 private:
  static constexpr std::size_t max_pages = 4096;  // a kernel that touches more out there is stopped
  static constexpr std::size_t max_launches = 8;
  struct Page {
    std::atomic<std::uintptr_t> address = 0;  // written last, by the driver's thread that reached there
    bool reserved = false;                    // in a reserved range
    StrayAccess first;
  };
  struct Watch {
    std::atomic<bool> used = false;
    std::atomic<std::size_t> pages_begun = 0;
    std::array<Page, max_pages> pages;
    std::atomic<int> signal = 0;
    int thread = 0;  // that launched it
    Work work = Work::Kernel;
    std::atomic<bool> can_go_back = false;
    sigjmp_buf back{};
  };
  static bool gave_page(Watch& watch, std::uintptr_t address, StrayAccess::Kind kind, bool unmapped);
  static void hold(Watch& watch, int signal);

  // Where the signal handler finds them: no memory is allocated there.
  static std::array<Watch, max_launches> watches;
  static std::atomic<Watch*> latest;
  static std::atomic<int> held;

  Watch* watch_ = nullptr;
};

}  // namespace twiddle
