#include "tracer/host/host_fiber.h"

#include "base/error.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <new>

#if defined(TWIDDLE_ASAN)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#elif defined(TWIDDLE_TSAN)
#include <sanitizer/tsan_interface.h>
#endif

namespace twiddle {

using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;
using twiddle_host::Item;
using twiddle_host::stack_bytes;

namespace {

constexpr std::size_t fibers_in_slab = 64;
const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));

}  // namespace

HostFiber::HostFiber(char* memory) : memory_(memory), item_(new (memory + stack_bytes - sizeof(Item)) Item{}) {
#if defined(TWIDDLE_TSAN)
  tsan_inside_ = __tsan_create_fiber(0);
#endif
}

HostFiber::~HostFiber() {
#if defined(TWIDDLE_TSAN)
  __tsan_destroy_fiber(tsan_inside_);
#endif
}

bool HostFiber::on_guard_page(twiddle_host::Address address) const {
  return address - reinterpret_cast<twiddle_host::Address>(memory_) < page;
}

void HostFiber::start(Entry entry, void* owner) {
  entry_ = entry;
  owner_ = owner;
  // The stack grows down from below the Item, in lines of 64 bytes.
  char* top = memory_ + stack_bytes - (sizeof(Item) + 63) / 64 * 64;
#if defined(TWIDDLE_ASAN)
  ASAN_UNPOISON_MEMORY_REGION(memory_ + page, stack_bytes - page);  // of what was abandoned here
  fake_inside_ = nullptr;
#endif
#if defined(TWIDDLE_TSAN)
  __tsan_destroy_fiber(tsan_inside_);
  tsan_inside_ = __tsan_create_fiber(0);
#endif
  inside_ = make_fcontext(top, static_cast<std::size_t>(top - memory_) - page, begin);
}

void HostFiber::begin(transfer_t from) {
  auto& fiber = *static_cast<HostFiber*>(from.data);
  fiber.outside_ = from.fctx;
#if defined(TWIDDLE_ASAN)
  __sanitizer_finish_switch_fiber(nullptr, &fiber.outside_bottom_, &fiber.outside_bytes_);
#endif
  fiber.entry_(fiber);
}

void HostFiber::enter() {
#if defined(TWIDDLE_ASAN)
  __sanitizer_start_switch_fiber(&fake_outside_, memory_ + page, stack_bytes - page);
#elif defined(TWIDDLE_TSAN)
  tsan_outside_ = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(tsan_inside_, 0);
#endif
  inside_ = jump_fcontext(inside_, this).fctx;
#if defined(TWIDDLE_ASAN)
  __sanitizer_finish_switch_fiber(fake_outside_, nullptr, nullptr);
#endif
}

void HostFiber::leave(bool for_good) {
  (void)for_good;
#if defined(TWIDDLE_ASAN)
  __sanitizer_start_switch_fiber(for_good ? nullptr : &fake_inside_, outside_bottom_, outside_bytes_);
#elif defined(TWIDDLE_TSAN)
  __tsan_switch_to_fiber(tsan_outside_, 0);
#endif
  const transfer_t back = jump_fcontext(outside_, this);
  outside_ = back.fctx;
#if defined(TWIDDLE_ASAN)
  __sanitizer_finish_switch_fiber(fake_inside_, &outside_bottom_, &outside_bytes_);
#endif
}

HostFibers::Slab::~Slab() {
#if defined(TWIDDLE_ASAN)
  ASAN_UNPOISON_MEMORY_REGION(memory, bytes);
#endif
  munmap(memory, bytes);
}

HostFiber& HostFibers::take() {
  if (free_.empty()) {
    // Room for the fibers and for aligning them.
    const std::size_t bytes = (fibers_in_slab + 1) * stack_bytes;
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      throw no_device("the host executor has no memory for the stacks of {} more work-items; take a smaller group size",
                      fibers_in_slab);
    slabs_.push_back(std::make_unique<Slab>(static_cast<char*>(memory), bytes));
    const auto first = (reinterpret_cast<std::uintptr_t>(memory) + stack_bytes - 1) / stack_bytes * stack_bytes;
    for (std::size_t i = 0; i < fibers_in_slab; ++i) {
      char* stack = static_cast<char*>(memory) + (first - reinterpret_cast<std::uintptr_t>(memory)) + i * stack_bytes;
      if (mprotect(stack, page, PROT_NONE) != 0)
        throw no_device("the host executor cannot guard the stacks of more work-items; take a smaller group size");
      all_.push_back(std::make_unique<HostFiber>(stack));
    }
    for (std::size_t i = fibers_in_slab; i-- > 0;) free_.push_back(all_[all_.size() - fibers_in_slab + i].get());
  }
  HostFiber& fiber = *free_.back();
  free_.pop_back();
  return fiber;
}

bool HostFibers::hold(twiddle_host::Address address) const {
  for (const auto& slab : slabs_)
    if (address - reinterpret_cast<twiddle_host::Address>(slab->memory) < slab->bytes) return true;
  return false;
}

void HostFibers::reset() {
  free_.clear();
  for (std::size_t i = all_.size(); i-- > 0;) {
    all_[i]->abandon();
    free_.push_back(all_[i].get());
  }
}

}  // namespace twiddle
