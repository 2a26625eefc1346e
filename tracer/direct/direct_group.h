// A work-group whose items take turns: each runs until it waits at a barrier or ends.
#pragma once

#include "tracer/direct/direct_compiler.h"
#include "tracer/host/host_fiber.h"

#include <array>
#include <cstddef>
#include <vector>

namespace twiddle {

class DirectGroup {
 public:
  explicit DirectGroup(twiddle_direct_state& state) : state_(state) {}
  DirectGroup(const DirectGroup&) = delete;
  DirectGroup& operator=(const DirectGroup&) = delete;

  /// Runs all items of the group that the state names to their end. A barrier waits for those that have not ended: whether all
  /// came to it is for others to check. Throws Error (no_device) without memory for their stacks.
  void run(DirectModule::Entry entry, void* const* arguments);

 private:
  struct Item {
    DirectGroup* group = nullptr;
    HostFiber* fiber = nullptr;
    std::array<unsigned, 3> id{};
    unsigned linear = 0;
    bool ended = false;
  };
  static void begin(HostFiber& fiber);
  static void wait();
  void enter(Item& item);

  twiddle_direct_state& state_;
  HostFibers fibers_;
  DirectModule::Entry entry_ = nullptr;
  void* const* arguments_ = nullptr;
  std::vector<Item> items_;
  std::vector<Item*> waiting_, next_;
};

}  // namespace twiddle
