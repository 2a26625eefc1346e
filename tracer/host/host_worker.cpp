#include "tracer/host/host_worker.h"

#include "base/error.h"
#include "base/values/hash.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace twiddle {

using twiddle_host::Address;
using twiddle_host::BarrierOperation;
using twiddle_host::Item;
using twiddle_host::WarpOperation;

namespace {

constexpr std::uint32_t uninitialised = 0x7FC0DEAD;  // what a group finds in its shared memory: never written
constexpr std::uint64_t logged_rounds = 2;           // of these, of a wait that proves endless
constexpr std::uint64_t patient_rounds = 100;        // of all items only waiting, before the wait is called endless
constexpr std::size_t signal_stack_bytes = 64 * 1024;
constexpr Address shared_alignment = 128;
constexpr Address near_shared_memory = Address(1) << 20;  // where a wrong index into it plausibly leads

thread_local HostWorker* worker_of_thread = nullptr;

Address address_of(const void* pointer) { return reinterpret_cast<Address>(pointer); }

bool writes(twiddle_host::Touch how) {
  return how == twiddle_host::Touch::Write || how == twiddle_host::Touch::VolatileWrite;
}

// Volatile accesses are told apart as if they were atomic; the log knows them as volatile.
AccessKind kind_of(twiddle_host::Touch how) {
  using twiddle_host::Touch;
  if (how == Touch::VolatileRead || how == Touch::VolatileWrite)
    return writes(how) ? AccessKind::AtomicStore : AccessKind::AtomicLoad;
  return writes(how) ? AccessKind::Store : AccessKind::Load;
}

}  // namespace

HostWorker::~HostWorker() = default;

void HostWorker::enter_thread() {
  worker_of_thread = this;
  signal_stack_ = std::make_unique<std::byte[]>(signal_stack_bytes);
  stack_t stack{};
  stack.ss_sp = signal_stack_.get();
  stack.ss_size = signal_stack_bytes;
  sigaltstack(&stack, &old_signal_stack_);
}

void HostWorker::leave_thread() {
  sigaltstack(&old_signal_stack_, nullptr);  // a sanitizer frees the stack that it finds here
  worker_of_thread = nullptr;
}

// ---- Groups and items begin and end ----

void HostWorker::prepare(const HostLaunch& launch) {
  launch_ = &launch;
  groups_.clear();
  fault_.reset();
  overdue_turn_ = 0;
  ranges_logged_ = false;
}

void HostWorker::prepare_group(GroupState& group) {
  const Address shared_bytes = launch_->module->shared_bytes(*launch_->kernel);
  const Address fixed = (shared_bytes + shared_alignment - 1) / shared_alignment * shared_alignment;
  group.memory_bytes = fixed + launch_->dynamic_shared_bytes;
  group.memory = HostMemory(group.memory_bytes);
  const Address first = address_of(group.memory.at(0, group.memory_bytes));  // a page's
  group.shared.shared = reinterpret_cast<char*>(first);
  group.shared.dynamic_shared = group.shared.shared + fixed;

  group.ranges = launch_->memory;
  for (const twiddle_host::SharedVariable* variable : launch_->module->shared_variables(*launch_->kernel))
    if (!variable->dynamic) group.ranges.push_back({first + variable->offset, variable->bytes});
  if (launch_->dynamic_shared_bytes) group.ranges.push_back({first + fixed, launch_->dynamic_shared_bytes});
  const auto& own = launch_->module->memory();
  group.ranges.insert(group.ranges.end(), own.begin(), own.end());
  group.shared.ranges = group.ranges.data();
  group.shared.range_count = static_cast<unsigned>(group.ranges.size());
  group.shared.cooperative = launch_->cooperative;
  for (std::size_t d = 0; d < 3; ++d) {
    group.shared.block_dim[d] = launch_->block[d];
    group.shared.grid_dim[d] = launch_->grid[d];
  }
}

void HostWorker::begin_group(GroupState& group, std::uint64_t number) {
  group.number = number;
  group.arrived = group.done = group.at_warps = 0;
  group.epoch = 0;
  group.shared.recent = 0;
  group.shared.block[0] = static_cast<unsigned>(number % launch_->grid[0]);
  group.shared.block[1] = static_cast<unsigned>(number / launch_->grid[0] % launch_->grid[1]);
  group.shared.block[2] = static_cast<unsigned>(number / launch_->grid[0] / launch_->grid[1]);
  for (std::size_t at = 0; at < group.memory_bytes; at += sizeof uninitialised)
    std::memcpy(group.shared.shared + at, &uninitialised, sizeof uninitialised);
  if (launch_->log) log_ranges(group);
}

// Groups that run one after another have their shared memory in the same place.
void HostWorker::log_ranges(const GroupState& group) {
  if (!launch_->cooperative && ranges_logged_) return;
  ranges_logged_ = true;
  for (const twiddle_host::SharedVariable* variable : launch_->module->shared_variables(*launch_->kernel)) {
    if (variable->dynamic && !launch_->dynamic_shared_bytes) continue;
    AccessRange range;
    range.space = Space::Local;
    range.address =
        address_of(variable->dynamic ? group.shared.dynamic_shared : group.shared.shared + variable->offset);
    range.bytes = variable->dynamic ? launch_->dynamic_shared_bytes : variable->bytes;
    range.argument = variable->dynamic ? launch_->dynamic_shared_argument : -1;
    range.name = variable->name;
    if (variable->kernel) range.function = variable->kernel;
    range.owner = launch_->cooperative ? static_cast<std::int64_t>(group.number) : -1;
    range.element_bytes = variable->element_bytes;
    range.type = element_type_of(variable->elements);
    launch_->log->add_range(std::move(range));
  }
}

void HostWorker::begin_item(Record& record, HostFiber& fiber) {
  record.fiber = &fiber;
  Item& item = fiber.item();
  item.services = &services;
  item.group = &record.group->shared;
  item.rank = record.rank;
  item.thread[0] = record.rank % launch_->block[0];
  item.thread[1] = record.rank / launch_->block[0] % launch_->block[1];
  item.thread[2] = record.rank / launch_->block[0] / launch_->block[1];
  item.last_read = 0;
  item.repeats = 0;
  item.logged = launch_->log && launch_->log->wants(number_of(record));
  item.arrays = 0;
  record.arrays.clear();
  item.record = &record;
  current_ = &record;
  turn_.store(turn_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

std::optional<HostFault> HostWorker::run_together(const std::vector<std::uint64_t>& groups) {
  const std::uint32_t group_size = launch_->group_size();
  for (; groups_.size() < groups.size();
       groups_.push_back(std::make_unique<GroupState>()), prepare_group(*groups_.back())) {}
  living_groups_ = groups.size();
  live_ = std::uint64_t(groups.size()) * group_size;
  records_.assign(live_, {});
  queue_.resize(std::max<std::size_t>(queue_.size(), live_));
  queue_head_ = queue_count_ = 0;
  grid_arrived_ = grid_epoch_ = 0;
  idle_turns_ = 0;
  order_.clear();
  for (std::uint32_t i = 0; i < records_.size(); ++i) {
    GroupState& group = *groups_[i / group_size];
    if (i % group_size == 0) {
      begin_group(group, groups[i / group_size]);
      group.records = &records_[i];
    }
    records_[i].worker = this;
    records_[i].group = &group;
    records_[i].index = i;
    records_[i].rank = i % group_size;
    order_.push_back(i);
  }
  make_ready(order_, groups[0], 0);

  // Every turn runs an item until it waits for others or ends; an item that ends lets new ones begin on its fiber.
  while (live_ > 0 && !fault_) {
    if (queue_count_ == 0) {
      fault_ = stuck();
      break;
    }
    Record& record = records_[queue_[queue_head_]];
    queue_head_ = (queue_head_ + 1) % queue_.size();
    --queue_count_;
    HostFiber& fiber = record.fiber ? *record.fiber : fibers_.take();
    if (record.state == State::New) {
      begin_item(record, fiber);
      if (!fiber.started()) fiber.start(run_items, this);
    } else {
      current_ = &record;
      turn_.store(turn_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }
    fiber.enter();
    in_kernel_ = 0;
  }
  if (fault_) fibers_.reset();
  return std::exchange(fault_, {});
}

// What a fiber does: one item after another, as long as the next in the queue is new.
void HostWorker::run_items(HostFiber& fiber) {
  HostWorker& worker = *static_cast<HostWorker*>(fiber.owner());
  while (true) {
    worker.in_kernel_ = 1;
    worker.launch_->kernel->invoke(worker.launch_->arguments.data());
    worker.in_kernel_ = 0;
    worker.finish(*static_cast<Record*>(fiber.item().record));
    if (!worker.begin_next(fiber)) {
      worker.fibers_.give_back(fiber);
      fiber.leave();
    }
  }
}

bool HostWorker::begin_next(HostFiber& fiber) {
  if (queue_count_ == 0 || fault_) return false;
  Record& record = records_[queue_[queue_head_]];
  if (record.state != State::New) return false;
  queue_head_ = (queue_head_ + 1) % queue_.size();
  --queue_count_;
  begin_item(record, fiber);
  return true;
}

void HostWorker::finish(Record& record) {
  if (launch_->log) launch_->log->settle();
  record.state = State::Done;
  record.fiber = nullptr;
  --live_;
  idle_turns_ = 0;
  GroupState& group = *record.group;
  ++group.done;
  // Lanes that wait for this one need not any more.
  if (group.at_warps > 0) complete_warp(record);
  settle_active(record);
}

void HostWorker::make_ready(std::vector<std::uint32_t>& records, std::uint64_t group, std::uint64_t epoch) {
  const std::uint64_t place = (launch_->number * golden_64 + group) * 0xd1b54a32d192ed03u + epoch;
  put_in_order(schedule_, place, records);
  for (const std::uint32_t index : records) {
    if (records_[index].state != State::New) records_[index].state = State::Ready;
    queue_[(queue_head_ + queue_count_++) % queue_.size()] = index;
  }
}

void HostWorker::suspend(Record& record) { record.fiber->leave(); }

// ---- What goes wrong ----

// An item that reads the same element again and again lets the others go on: one of them may write it. When for many rounds
// no item has written anything, none will.
void HostWorker::waiting(Record& record, Address address, const void* pc) {
  if (launch_->log) launch_->log->settle();
  std::uint64_t writes = 0;
  for (std::size_t g = 0; g < living_groups_; ++g) writes += groups_[g]->shared.writes;
  if (std::exchange(seen_writes_, writes) != writes) idle_turns_ = 0;
  // What is never answered is the same reads again: of an endless wait the first rounds stay in the log.
  if (++idle_turns_ == logged_rounds * live_ && launch_->log) waited_in_vain_ = launch_->log->mark();
  if (idle_turns_ > patient_rounds * live_) {
    if (launch_->log) launch_->log->forget_since(waited_in_vain_);
    HostFault fault = fault_of(record, HostFault::Kind::Wait);
    fault.address = address;
    fault.pc = pc;
    end_with(record, std::move(fault));
  }
  record.state = State::Ready;
  record.spins = true;
  queue_[(queue_head_ + queue_count_++) % queue_.size()] = record.index;
  settle_active(record);
  suspend(record);
  record.spins = false;
}

void HostWorker::log_meeting(const Record& record, AccessKind kind, MemoryScope scope, std::uint64_t value, int line) {
  if (record.fiber->item().logged)
    launch_->log->meet(number_of(record), line, kind, MemoryOrder::Sequential, scope, value);
}

std::uint64_t HostWorker::number_of(const Record& record) const {
  return record.group->number * launch_->group_size() + record.rank;
}

// What memory at most `slack` bytes from this address is.
Space HostWorker::space_of(const Record& record, Address address, Address slack) const {
  const GroupState& group = *record.group;
  if (address - address_of(group.shared.shared) + slack < group.memory_bytes + 2 * slack) return Space::Local;
  for (const auto* variable = launch_->module->variables(); variable; variable = variable->next)
    if (variable->constant && address - variable->address < variable->bytes) return Space::Constant;
  return Space::Global;
}

HostFault HostWorker::fault_of(const Record& record, HostFault::Kind kind) const {
  HostFault fault;
  fault.kind = kind;
  fault.item = number_of(record);
  fault.shared = address_of(record.group->shared.shared);
  fault.dynamic_shared = address_of(record.group->shared.dynamic_shared);
  return fault;
}

// On the fiber of the culprit: the launch is over, and nothing comes back here.
void HostWorker::end_with(Record& record, HostFault fault) {
  fault_ = std::move(fault);
  record.fiber->leave(true);
  std::abort();
}

bool HostWorker::interrupted(const KernelSignal& arrived) {
  if (worker_of_thread) worker_of_thread->interrupted_by(arrived);
  return false;
}

void HostWorker::interrupted_by(const KernelSignal& arrived) {
  const int signal = arrived.signal;
  if (!in_kernel_ || !current_) return;
  if (signal == interrupt_signal()) {
    const std::uint64_t overdue = overdue_turn_.load(std::memory_order_relaxed);
    if (overdue != turn() && overdue != any_turn) return;
  }
  in_kernel_ = 0;
  HostFault fault = fault_of(*current_, HostFault::Kind::Signal);
  fault.signal = signal;
  fault.address = address_of(arrived.info.si_addr);
  fault.pc = arrived.pc;
  if (signal == interrupt_signal()) {
    fault.kind = HostFault::Kind::Wait;
    fault.address = 0;
  } else if (current_->fiber->on_guard_page(fault.address)) {
    fault.kind = HostFault::Kind::Stack;
  }
  fault_ = std::move(fault);
  current_->fiber->leave(true);
  std::abort();
}

// ---- What kernel code calls ----

namespace {

template <typename Record>
Record& record_of(Item* item) {
  return *static_cast<Record*>(item->record);
}

// While the executor is at work on a fiber, no signal may end it.
class InExecutor {
 public:
  explicit InExecutor(volatile std::sig_atomic_t& in_kernel) : in_kernel_(in_kernel) { in_kernel_ = 0; }
  ~InExecutor() { in_kernel_ = 1; }
  InExecutor(const InExecutor&) = delete;
  InExecutor& operator=(const InExecutor&) = delete;

 private:
  volatile std::sig_atomic_t& in_kernel_;
};

}  // namespace

const twiddle_host::Services HostWorker::services = {
    [](Item* item, BarrierOperation operation, unsigned predicate, int line) {
      Record& record = record_of<Record>(item);
      const InExecutor here(record.worker->in_kernel_);
      if (operation == twiddle_host::BarrierOperation::Copies)
        record.worker->log_meeting(record, AccessKind::CopyWait, MemoryScope::Item, 0, line);
      else
        record.worker->log_meeting(record, AccessKind::Barrier, MemoryScope::Group, ordered_local | ordered_global,
                                   line);
      return record.worker->group_barrier(record, operation, predicate, line);
    },
    [](Item* item, int line) {
      Record& record = record_of<Record>(item);
      const InExecutor here(record.worker->in_kernel_);
      record.worker->log_meeting(record, AccessKind::Barrier, MemoryScope::Device, ordered_local | ordered_global,
                                 line);
      record.worker->grid_barrier(record, line);
    },
    [](Item* item, WarpOperation operation, unsigned mask, unsigned long long value, unsigned source, int line) {
      Record& record = record_of<Record>(item);
      const InExecutor here(record.worker->in_kernel_);
      if (operation == WarpOperation::Sync)
        record.worker->log_meeting(record, AccessKind::Barrier, MemoryScope::SubGroup,
                                   ordered_local | ordered_global | std::uint64_t(mask) << 32, line);
      else if (operation != WarpOperation::Active)
        record.worker->log_meeting(record, AccessKind::Exchange, MemoryScope::SubGroup, mask, line);
      return record.worker->warp(record, operation, mask, value, source, line);
    },
    [](Item* item, Address address, Address bytes, twiddle_host::Touch how, const void* pc) {
      Record& record = record_of<Record>(item);
      HostWorker& worker = *record.worker;
      const InExecutor here(worker.in_kernel_);
      if (item->logged) {
        const Space space = worker.space_of(record, address, near_shared_memory);
        worker.launch_->log->stray(worker.number_of(record), pc, kind_of(how), space, address, bytes);
      }
      HostFault fault = record.worker->fault_of(record, HostFault::Kind::Access);
      fault.address = address;
      fault.write = writes(how);
      fault.private_memory = record.worker->fibers_.hold(address);
      fault.pc = pc;
      record.worker->end_with(record, std::move(fault));
    },
    [](Item* item, twiddle_host::StopReason why, long long index, const char* text, int line) {
      Record& record = record_of<Record>(item);
      const InExecutor here(record.worker->in_kernel_);
      HostFault fault = record.worker->fault_of(record, HostFault::Kind::Stopped);
      switch (why) {
        case twiddle_host::StopReason::DividesByZero: fault.reason = Message("it divides by zero"); break;
        case twiddle_host::StopReason::IndexOutside:
          fault.reason = Message("index {} is outside of the array {}", index, text);
          fault.index = true;
          break;
        case twiddle_host::StopReason::AssertionFailed: fault.reason = Message("the assertion {} failed", text); break;
        case twiddle_host::StopReason::Trap: fault.reason = Message("__trap() was called"); break;
      }
      fault.line = line;
      record.worker->end_with(record, std::move(fault));
    },
    [](Item* item, Address address, const void* pc) {
      Record& record = record_of<Record>(item);
      const InExecutor here(record.worker->in_kernel_);
      record.worker->waiting(record, address, pc);
    },
    [](Item* item, const char* format, __builtin_va_list arguments) {
      const InExecutor here(record_of<Record>(item).worker->in_kernel_);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"  // the kernel's own format
      return std::vprintf(format, arguments);
#pragma GCC diagnostic pop
    },
    [](Item* item, Address address, Address bytes, twiddle_host::Touch how, const void* pc) {
      Record& record = record_of<Record>(item);
      HostWorker& worker = *record.worker;
      const InExecutor here(worker.in_kernel_);
      const Space space = worker.space_of(record, address, 0);
      worker.launch_->log->access(worker.number_of(record), pc, kind_of(how), space, address, bytes);
    },
    [](Item* item) {
      HostWorker& worker = *record_of<Record>(item).worker;
      const InExecutor here(worker.in_kernel_);
      worker.launch_->log->settle();
    },
    [](Item* item, const twiddle_host::AtomicAccess& what) {
      Record& record = record_of<Record>(item);
      HostWorker& worker = *record.worker;
      const InExecutor here(worker.in_kernel_);
      worker.launch_->log->atomic(worker.number_of(record), worker.space_of(record, what.address, 0), what);
    },
    [](Item* item, twiddle_host::Order order, twiddle_host::Reach reach, int line) {
      Record& record = record_of<Record>(item);
      HostWorker& worker = *record.worker;
      const InExecutor here(worker.in_kernel_);
      worker.launch_->log->fence(worker.number_of(record), line, order, reach);
    },
    [](Item* item, Address to, Address from, Address bytes, int line) {
      Record& record = record_of<Record>(item);
      HostWorker& worker = *record.worker;
      const InExecutor here(worker.in_kernel_);
      worker.launch_->log->copy(worker.number_of(record), line, {worker.space_of(record, to, 0), to},
                                {worker.space_of(record, from, 0), from}, bytes);
    },
    [](Item* item, const twiddle_host::PrivateArray* array, Address address) {
      Record& record = record_of<Record>(item);
      const InExecutor here(record.worker->in_kernel_);
      begin_array(record.arrays, *array, address);
      item->arrays = static_cast<unsigned>(record.arrays.size());
    },
    [](Item* item, Address address) {
      Record& record = record_of<Record>(item);
      const InExecutor here(record.worker->in_kernel_);
      end_array(record.arrays, address);
      item->arrays = static_cast<unsigned>(record.arrays.size());
    },
    [](Item* item, Address address, Address bytes, twiddle_host::Touch how, const void* pc) {
      Record& record = record_of<Record>(item);
      HostWorker& worker = *record.worker;
      const InExecutor here(worker.in_kernel_);
      HostArray* array = array_with(record.arrays, address, bytes);
      if (array && !array->touch(address, bytes, writes(how)))
        worker.launch_->log->unwritten(worker.number_of(record), pc, array->made_up(address), address, bytes);
    },
};

}  // namespace twiddle
