#include "tracer/host/host_executor.h"

#include "base/values/clock.h"
#include "tracer/runtime/kernel_signals.h"
#include "tracer/runtime/runtime.h"

#include <pthread.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <numeric>

namespace twiddle {
namespace {

constexpr auto watch_interval = std::chrono::milliseconds(20);

// Processor time that a thread has used, seconds.
double processor_time(std::thread& thread) {
  clockid_t clock;
  timespec now{};
  if (pthread_getcpuclockid(thread.native_handle(), &clock) != 0 || clock_gettime(clock, &now) != 0) return 0;
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

HostExecutor::HostExecutor(const HostOptions& options) : options_(options) {
  for (int i = 0; i < std::max(1, options.threads); ++i) threads_.push_back(std::make_unique<Thread>(options.schedule));
  for (const auto& thread : threads_) thread->thread = std::thread(&HostExecutor::work, this, std::ref(*thread));
}

HostExecutor::~HostExecutor() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  started_.notify_all();
  for (const auto& thread : threads_) thread->thread.join();
}

std::optional<HostFault> HostExecutor::run(const HostLaunch& launch, const HostPatience& patience) {
  const KernelSignals signals(&HostWorker::interrupted);
  std::unique_lock lock(mutex_);
  launch_ = &launch;
  order_.resize(launch.groups());
  std::iota(order_.begin(), order_.end(), 0u);
  put_in_order(options_.schedule, ~launch.number, order_);
  next_group_ = 0;
  faulty_ = false;
  for (const auto& thread : threads_) {
    thread->fault.reset();
    thread->failure = nullptr;
    thread->worker.prepare(launch);
  }

  ++launches_;
  working_ = threads_.size();
  started_.notify_all();
  if (!watch(lock, patience)) throw Overdue(false);

  std::optional<HostFault> first;
  for (const auto& thread : threads_) {
    if (thread->failure) std::rethrow_exception(thread->failure);
    if (thread->fault && (!first || thread->fault->item < first->item)) first = std::move(thread->fault);
  }
  return first;
}

// Waits for the threads, and interrupts an item that runs on and on without reaching a barrier or its end; all of them, and
// returns false, when the launch takes too long.
bool HostExecutor::watch(std::unique_lock<std::mutex>& lock, const HostPatience& patience) {
  struct Seen {
    std::uint64_t turn = 0;
    double since = 0;
  };
  std::vector<Seen> seen(threads_.size());
  const auto begun = Clock::now();
  bool overdue = false;
  while (!finished_.wait_for(lock, watch_interval, [&] { return working_ == 0; })) {
    if (patience.launch > 0 && seconds_since(begun) > patience.launch) overdue = faulty_ = true;
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      HostWorker& worker = threads_[i]->worker;
      const std::uint64_t turn = worker.turn();
      const double time = processor_time(threads_[i]->thread);
      if (turn != seen[i].turn && !overdue) {
        seen[i] = {turn, time};
      } else if (overdue || (patience.item > 0 && time - seen[i].since > patience.item)) {
        worker.give_up_turn(overdue ? HostWorker::any_turn : turn);
        pthread_kill(threads_[i]->thread.native_handle(), interrupt_signal());
      }
    }
  }
  return !overdue;
}

void HostExecutor::work(Thread& thread) {
  thread.worker.enter_thread();
  std::uint64_t done = 0;
  std::unique_lock lock(mutex_);
  while (true) {
    started_.wait(lock, [&] { return ending_ || launches_ > done; });
    if (ending_) break;
    done = launches_;
    lock.unlock();
    try {
      run_share(thread);
    } catch (...) {
      thread.failure = std::current_exception();
      faulty_ = true;
    }
    lock.lock();
    if (--working_ == 0) finished_.notify_all();
  }
  lock.unlock();
  thread.worker.leave_thread();
}

void HostExecutor::run_share(Thread& thread) {
  if (launch_->log && &thread != threads_.front().get()) return;
  std::vector<std::uint64_t> groups;
  if (launch_->cooperative) {
    // All groups at once, on the thread that comes first.
    if (next_group_.fetch_add(order_.size()) > 0) return;
    groups.assign(order_.begin(), order_.end());
    std::sort(groups.begin(), groups.end());
    thread.fault = thread.worker.run_together(groups);
    return;
  }
  for (std::size_t next; !faulty_ && (next = next_group_++) < order_.size();) {
    groups.assign(1, order_[next]);
    thread.fault = thread.worker.run_together(groups);
    if (thread.fault) faulty_ = true;
  }
}

}  // namespace twiddle
