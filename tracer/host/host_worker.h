// One thread of the host executor: runs work-groups, their items as fibers that switch at barriers.
#pragma once

#include "base/message.h"
#include "tracer/host/host_accesses.h"
#include "tracer/host/host_arrays.h"
#include "tracer/host/host_compiler.h"
#include "tracer/host/host_fiber.h"
#include "tracer/host/host_memory.h"
#include "tracer/runtime/host_schedule.h"
#include "tracer/runtime/kernel_signals.h"

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace twiddle {

/// A kernel with everything it needs to run. Limits were checked.
struct HostLaunch {
  const HostModule* module = nullptr;
  const twiddle_host::Kernel* kernel = nullptr;
  std::array<unsigned, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::vector<void*> arguments;             // addresses of the arguments' values
  std::vector<twiddle_host::Range> memory;  // what the arguments point to, then what pointers in their structs do
  std::vector<unsigned> structs;            // parameters of the latter, one for each
  std::size_t dynamic_shared_bytes = 0;
  int dynamic_shared_argument = -1;  // of the call that brings it
  bool cooperative = false;
  HostAccessLog* log = nullptr;  // of its accesses, where they are wanted; then one thread runs the launch
  std::uint64_t number = 0;      // of this launch: random orders differ from launch to launch

  std::uint64_t groups() const { return std::uint64_t(grid[0]) * grid[1] * grid[2]; }
  std::uint32_t group_size() const { return block[0] * block[1] * block[2]; }
};

/// Why a launch ended early.
struct HostFault {
  enum class Kind { Access, Signal, Stopped, Stack, Barrier, Warp, Wait };
  Kind kind = Kind::Stopped;
  std::uint64_t item = 0;                      // the culprit: groups in order, items of a group in order
  twiddle_host::Address address = 0;           // Access, Signal, Wait: of the memory
  bool write = false, private_memory = false;  // private: of another work-item
  const void* pc = nullptr;                    // in the kernel's code
  int line = 0;                                // where the culprit is, when the kernel said so itself
  Message reason;                              // Stopped: "it …"
  bool index = false;                          // Stopped: an index was outside of its array
  int signal = 0;
  // Barrier and Warp: who waits for the culprit, where, how many; the culprit has left the kernel when `left`.
  std::uint64_t other = 0, waiting = 0;
  int other_line = 0;
  bool left = false, grid = false;
  // Access: shared variables as they were for the culprit's group.
  twiddle_host::Address shared = 0, dynamic_shared = 0;
};

class HostWorker {
 public:
  explicit HostWorker(const Schedule& schedule) : schedule_(schedule) {}
  ~HostWorker();
  HostWorker(const HostWorker&) = delete;
  HostWorker& operator=(const HostWorker&) = delete;

  /// Once on the thread that will run: signals get a stack of their own. And at its end.
  void enter_thread();
  void leave_thread();

  /// Gets ready for a launch; the worker is done with the one before. Throws Error (no_device) without memory.
  void prepare(const HostLaunch& launch);
  /// Runs these groups, which live at the same time, to their end or to a fault.
  std::optional<HostFault> run_together(const std::vector<std::uint64_t>& groups);

  /// Changes whenever another item gets its turn. Any thread may ask.
  std::uint64_t turn() const { return turn_.load(std::memory_order_relaxed); }
  /// For another thread, before it sends `interrupt_signal`: the turn that has taken too long.
  void give_up_turn(std::uint64_t turn) { overdue_turn_.store(turn, std::memory_order_relaxed); }
  static constexpr std::uint64_t any_turn = ~std::uint64_t(0);

  /// The signal handler of the executor's kernels: does not return when it was the kernel code of this thread's worker that
  /// was interrupted; false: it was something else.
  static bool interrupted(const KernelSignal& arrived);

 private:
  void interrupted_by(const KernelSignal& arrived);
  enum class State : std::uint8_t { New, Ready, AtBarrier, AtGridBarrier, AtWarp, Done };

  struct GroupState;
  // A work-item of the groups that live now.
  struct Record {
    HostWorker* worker = nullptr;
    GroupState* group = nullptr;
    HostFiber* fiber = nullptr;
    std::uint32_t index = 0;  // in records_
    std::uint32_t rank = 0;   // in its group
    State state = State::New;
    bool spins = false;      // it can run, and only reads the same again and again
    unsigned operation = 0;  // BarrierOperation or WarpOperation
    int line = 0;            // of the barrier or warp operation it waits at
    unsigned mask = 0, source = 0;
    unsigned long long value = 0, result = 0;
    std::vector<HostArray> arrays;  // that it has declared
  };
  struct GroupState {
    twiddle_host::Group shared{};  // what kernel code sees
    std::vector<twiddle_host::Range> ranges;
    HostMemory memory;  // shared variables, then dynamic ones
    std::size_t memory_bytes = 0;
    std::uint64_t number = 0;
    Record* records = nullptr;
    std::uint32_t arrived = 0, done = 0, at_warps = 0;
    std::uint64_t epoch = 0;
  };

  static const twiddle_host::Services services;
  static void run_items(HostFiber& fiber);

  void prepare_group(GroupState& group);
  void begin_group(GroupState& group, std::uint64_t number);
  void begin_item(Record& record, HostFiber& fiber);
  bool begin_next(HostFiber& fiber);
  void finish(Record& record);
  // In the schedule's order; group and epoch tell the times apart at which a random order is needed.
  void make_ready(std::vector<std::uint32_t>& records, std::uint64_t group, std::uint64_t epoch);

  unsigned group_barrier(Record& record, twiddle_host::BarrierOperation operation, unsigned predicate, int line);
  void grid_barrier(Record& record, int line);
  unsigned long long warp(Record& record, twiddle_host::WarpOperation operation, unsigned mask,
                          unsigned long long value, unsigned source, int line);
  void complete_warp(Record& record);
  void settle_active(const Record& record);
  void waiting(Record& record, twiddle_host::Address address, const void* pc);
  void open_barrier(GroupState& group);
  void suspend(Record& record);
  void end_with(Record& record, HostFault fault);
  HostFault fault_of(const Record& record, HostFault::Kind kind) const;
  std::uint64_t number_of(const Record& record) const;
  void log_ranges(const GroupState& group);
  void log_meeting(const Record& record, AccessKind kind, MemoryScope scope, std::uint64_t value, int line);
  Space space_of(const Record& record, twiddle_host::Address address, twiddle_host::Address slack) const;
  HostFault missing_from(const Record* first, std::uint64_t count, bool grid) const;
  HostFault stuck() const;

  const Schedule schedule_;
  HostFibers fibers_;
  const HostLaunch* launch_ = nullptr;
  std::vector<std::unique_ptr<GroupState>> groups_;
  std::vector<Record> records_;
  std::vector<std::uint32_t> queue_;  // a ring of records that can run
  std::size_t queue_head_ = 0, queue_count_ = 0;
  std::vector<std::uint32_t> order_;  // scratch
  std::uint64_t live_ = 0, grid_arrived_ = 0, grid_epoch_ = 0;
  std::size_t living_groups_ = 0;
  std::uint64_t idle_turns_ = 0;        // turns since an item last wrote or ended
  HostAccessLog::Mark waited_in_vain_;  // the log when it was clear that these were many
  std::uint64_t seen_writes_ = 0;
  std::optional<HostFault> fault_;
  bool ranges_logged_ = false;  // of this launch's shared memory

  Record* current_ = nullptr;
  volatile std::sig_atomic_t in_kernel_ = 0;  // kernel code runs, which a signal may end
  std::atomic<std::uint64_t> turn_{1}, overdue_turn_{0};
  std::unique_ptr<std::byte[]> signal_stack_;
  stack_t old_signal_stack_{};
};

}  // namespace twiddle
