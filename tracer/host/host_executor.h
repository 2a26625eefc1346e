// Runs a compiled kernel on the processor: work-groups one after another, or dealt out to several threads.
#pragma once

#include "tracer/host/host_worker.h"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace twiddle {

/// Seconds; 0: as long as it takes.
struct HostPatience {
  double launch = 0;  // for all of a launch
  double item = 0;    // of processor time for one work-item between two barriers
};

/// Work-items that a cooperative launch can hold, since all of them are alive at the same time.
inline constexpr std::uint64_t max_cooperative_items = 16384;

class HostExecutor {
 public:
  explicit HostExecutor(const HostOptions& options);
  ~HostExecutor();
  HostExecutor(const HostExecutor&) = delete;
  HostExecutor& operator=(const HostExecutor&) = delete;

  /// Runs every group, or up to the first fault (of those that several threads meet, the one of the first item). Memory
  /// then holds what was written until there. Throws Error (no_device) without memory, and Overdue.
  std::optional<HostFault> run(const HostLaunch& launch, const HostPatience& patience);

 private:
  struct Thread {
    HostWorker worker;
    std::thread thread;
    std::optional<HostFault> fault;
    std::exception_ptr failure;
    explicit Thread(const Schedule& schedule) : worker(schedule) {}
  };

  void work(Thread& thread);
  void run_share(Thread& thread);
  bool watch(std::unique_lock<std::mutex>& lock, const HostPatience& patience);

  const HostOptions options_;
  std::vector<std::unique_ptr<Thread>> threads_;
  std::mutex mutex_;
  std::condition_variable started_, finished_;
  std::uint64_t launches_ = 0;  // begun; a thread that has seen fewer has work
  std::size_t working_ = 0;     // threads that are not done with this launch
  bool ending_ = false;
  const HostLaunch* launch_ = nullptr;
  std::vector<std::uint32_t> order_;  // groups
  std::atomic<std::size_t> next_group_{0};
  std::atomic<bool> faulty_{false};
};

}  // namespace twiddle
