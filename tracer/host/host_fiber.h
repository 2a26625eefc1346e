// Stacks for work-items, and switching between them and the scheduler. A fiber that is in the middle of a kernel can be
// abandoned there: boost::context::fiber would unwind it, through frames of the kernel and even of a signal handler, so this
// is built on the layer below it.
#pragma once

#include "tracer/host/simt/abi.h"

#include <boost/context/detail/fcontext.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace twiddle {

/// One stack on which work-items run, one after another. Its Item is at the top, a page that must not be touched at the bottom.
class HostFiber {
 public:
  using Entry = void (*)(HostFiber&);

  /// `memory`: host_simt's stack_bytes, aligned to their size.
  explicit HostFiber(char* memory);
  ~HostFiber();
  HostFiber(const HostFiber&) = delete;
  HostFiber& operator=(const HostFiber&) = delete;

  twiddle_host::Item& item() { return *item_; }
  bool on_guard_page(twiddle_host::Address address) const;

  /// Begins anew with a function that never returns, no matter what the fiber did before. `owner` is the caller's.
  void start(Entry entry, void* owner);
  bool started() const { return inside_ != nullptr; }
  void abandon() { inside_ = nullptr; }
  void* owner() const { return owner_; }

  /// From the scheduler into the fiber; returns when it leaves.
  void enter();
  /// From the fiber to the scheduler; returns when it is entered again. A signal handler that interrupted the fiber may call
  /// it, too, and then must never be entered again.
  void leave(bool for_good = false);

 private:
  static void begin(boost::context::detail::transfer_t from);

  char* memory_;
  twiddle_host::Item* item_;
  Entry entry_ = nullptr;
  void* owner_ = nullptr;
  boost::context::detail::fcontext_t inside_ = nullptr, outside_ = nullptr;
  // What the sanitizers want to know of a switch, when this program is built with one.
  [[maybe_unused]] void *fake_inside_ = nullptr, *fake_outside_ = nullptr;
  [[maybe_unused]] void *tsan_inside_ = nullptr, *tsan_outside_ = nullptr;
  [[maybe_unused]] const void* outside_bottom_ = nullptr;
  [[maybe_unused]] std::size_t outside_bytes_ = 0;
};

/// As many fibers as were ever needed at once. Throws Error (no_device) when memory for more cannot be had.
class HostFibers {
 public:
  HostFiber& take();  // a free one
  void give_back(HostFiber& fiber) { free_.push_back(&fiber); }
  bool hold(twiddle_host::Address address) const;  // is it on a fiber's stack?
  void reset();                                    // all are free again: those in the middle of something are abandoned

 private:
  struct Slab {
    char* memory;
    std::size_t bytes;
    Slab(char* memory_, std::size_t bytes_) : memory(memory_), bytes(bytes_) {}
    ~Slab();
    Slab(const Slab&) = delete;
    Slab& operator=(const Slab&) = delete;
  };
  std::vector<std::unique_ptr<Slab>> slabs_;
  std::vector<std::unique_ptr<HostFiber>> all_;
  std::vector<HostFiber*> free_;
};

}  // namespace twiddle
