#include "tracer/opencl/memory/cpu_memory.h"

#include "base/error.h"
#include "tracer/runtime/runtime.h"

#include <link.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

namespace twiddle {
namespace {

// Every reserved range, for the signal handler; a free entry has no bytes.
struct ReservedRange {
  std::atomic<std::uintptr_t> first = 0;
  std::atomic<std::size_t> bytes = 0;
};
std::array<ReservedRange, 1024> reserved_ranges;

std::uintptr_t page_bytes() {
  static const auto bytes = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

bool in_reserved_range(std::uintptr_t address) {
  return std::any_of(reserved_ranges.begin(), reserved_ranges.end(), [&](const ReservedRange& range) {
    return address - range.first.load(std::memory_order_acquire) < range.bytes.load(std::memory_order_acquire);
  });
}

using Range = std::pair<std::uintptr_t, std::uintptr_t>;

// Where the program's own code is: what faults in there is a fault of ours.
Range own_code() {
  static const Range range = [] {
    Range found{0, 0};
    dl_iterate_phdr(
        [](dl_phdr_info* object, std::size_t, void* result) {
          for (int i = 0; i < object->dlpi_phnum; ++i) {
            const auto& part = object->dlpi_phdr[i];
            if (part.p_type == PT_LOAD && (part.p_flags & PF_X))
              *static_cast<Range*>(result) = {object->dlpi_addr + part.p_vaddr,
                                              object->dlpi_addr + part.p_vaddr + part.p_memsz};
          }
          return 1;  // the program is the first; no library after it
        },
        &found);
    return found;
  }();
  return range;
}

StrayAccess::Kind kind_of(const void* context) {
#if defined(__x86_64__) && defined(__linux__)
  const auto error = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR];
  return error & 2 ? StrayAccess::Kind::Write : StrayAccess::Kind::Read;
#else
  (void)context;
  return StrayAccess::Kind::Unknown;
#endif
}

int this_thread() { return static_cast<int>(syscall(SYS_gettid)); }

}  // namespace

std::shared_ptr<CpuMemory> CpuMemory::reserve(std::size_t bytes) {
  const std::size_t size = (std::max<std::size_t>(bytes, 1) + page_bytes() - 1) / page_bytes() * page_bytes();
  // Less where the process may not have that many addresses (ulimit -v).
  for (const std::size_t side : {std::size_t(64) << 30, std::size_t(4) << 30, std::size_t(256) << 20}) {
    const std::size_t all = size + 2 * side;
    void* start = mmap(nullptr, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED) continue;
    auto memory = std::shared_ptr<CpuMemory>(new CpuMemory);
    memory->first_ = reinterpret_cast<std::uintptr_t>(start);
    memory->data_ = static_cast<std::byte*>(start) + side;
    memory->size_ = size;
    // From here on the destructor gives it back.
    memory->reach_bytes_ = all;
    for (std::size_t slot = 0; slot < reserved_ranges.size(); ++slot) {
      std::uintptr_t free = 0;
      if (!reserved_ranges[slot].first.compare_exchange_strong(free, memory->first_)) continue;
      memory->slot_ = slot;
      if (mprotect(memory->data_, size, PROT_READ | PROT_WRITE) != 0) return nullptr;
      reserved_ranges[slot].bytes.store(all, std::memory_order_release);
      return memory;
    }
    memory->slot_ = reserved_ranges.size();
    return nullptr;
  }
  return nullptr;
}

CpuMemory::~CpuMemory() {
  if (slot_ < reserved_ranges.size()) {
    reserved_ranges[slot_].bytes.store(0, std::memory_order_release);
    reserved_ranges[slot_].first.store(0, std::memory_order_release);
  }
  munmap(reinterpret_cast<void*>(first_), reach_bytes_);
}

std::array<CpuLaunch::Watch, CpuLaunch::max_launches> CpuLaunch::watches;
std::atomic<CpuLaunch::Watch*> CpuLaunch::latest = nullptr;
std::atomic<int> CpuLaunch::held = 0;

CpuLaunch::CpuLaunch(Work work) {
  // What the handler asks for, asked for before it runs.
  page_bytes();
  own_code();
  for (Watch& watch : watches) {
    if (watch.used.exchange(true)) continue;
    watch.thread = this_thread();
    watch.work = work;
    watch.signal = 0;
    watch.can_go_back = false;
    watch_ = &watch;
    latest.store(watch_, std::memory_order_release);
    return;
  }
  throw no_device("{} launches that never ended are still running in this process; start twiddle again", max_launches);
}

CpuLaunch::~CpuLaunch() {
  if (!watch_) return;
  const std::size_t pages = std::min(watch_->pages_begun.load(), max_pages);
  for (std::size_t p = 0; p < pages; ++p) {
    Page& page = watch_->pages[p];
    const std::uintptr_t address = page.address.exchange(0, std::memory_order_acquire);
    if (address == 0) continue;
    void* start = reinterpret_cast<void*>(address);
    if (page.reserved) {
      // Nothing of it is kept, and the next access there is noticed again. (Where that fails, it is not, without harm.)
      (void)mmap(start, page_bytes(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    } else {
      munmap(start, page_bytes());
    }
  }
  watch_->pages_begun = 0;
  watch_->used = false;
  const auto other = std::find_if(watches.begin(), watches.end(), [](const Watch& watch) { return watch.used.load(); });
  latest.store(other == watches.end() ? nullptr : &*other, std::memory_order_release);
}

std::vector<StrayAccess> CpuLaunch::strays() const {
  std::vector<StrayAccess> all;
  const std::size_t pages = std::min(watch_->pages_begun.load(), max_pages);
  for (std::size_t p = 0; p < pages; ++p)
    if (watch_->pages[p].address.load(std::memory_order_acquire) != 0) all.push_back(watch_->pages[p].first);
  return all;
}

// Puts an empty page where the kernel reached, so that the access can be made.
bool CpuLaunch::gave_page(Watch& watch, std::uintptr_t address, StrayAccess::Kind kind, bool unmapped) {
  const std::uintptr_t start = address & ~(page_bytes() - 1);
  void* place = reinterpret_cast<void*>(start);
  const bool reserved = in_reserved_range(address);
  if (!reserved && !unmapped) return false;
  const std::size_t number = watch.pages_begun.fetch_add(1);
  if (number >= max_pages) return false;
  if (reserved) {
    if (mprotect(place, page_bytes(), PROT_READ | PROT_WRITE) != 0) return false;
  } else {
    void* got =
        mmap(place, page_bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == MAP_FAILED) return errno == EEXIST;  // another thread was quicker
    if (got != place) {                             // a kernel that does not know the flag
      munmap(got, page_bytes());
      return false;
    }
  }
  watch.pages[number].reserved = reserved;
  watch.pages[number].first = {address, kind};
  watch.pages[number].address.store(start, std::memory_order_release);
  return true;
}

// The thread can neither go on nor leave the kernel: it waits forever. Where it is the one that launched, it jumps out of
// the driver, which is not used again.
void CpuLaunch::hold(Watch& watch, int signal) {
  if (ends_with_stopped_launch()) ::_exit(1);
  watch.signal.store(signal, std::memory_order_release);
  if (this_thread() == watch.thread && watch.can_go_back.exchange(false)) siglongjmp(watch.back, 1);
  ++held;
  for (;;) pause();
}

bool CpuLaunch::handled(const KernelSignal& arrived) {
  const auto& [signal, info, pc, context, driver_answers] = arrived;
  if (signal == interrupt_signal() || driver_answers) return false;
  Watch* watch = latest.load(std::memory_order_acquire);
  if (!watch) return false;
  const auto [first, end] = own_code();
  const auto at = reinterpret_cast<std::uintptr_t>(pc);
  if (at >= first && at < end) return false;
  // abort() is in the C library, for every caller. The first thread, which has the window, waits in no driver: there it is ours.
  if (signal == SIGABRT && this_thread() != watch->thread && this_thread() == getpid()) return false;
  if (signal != SIGABRT && watch->work == Work::Compiler) return false;
  if (signal == SIGSEGV && (info.si_code == SEGV_MAPERR || info.si_code == SEGV_ACCERR)) {
    const auto address = reinterpret_cast<std::uintptr_t>(info.si_addr);
    if (gave_page(*watch, address, kind_of(context), info.si_code == SEGV_MAPERR)) return true;
  }
  hold(*watch, signal);
  return true;
}

}  // namespace twiddle
