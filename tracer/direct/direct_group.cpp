#include "tracer/direct/direct_group.h"

namespace twiddle {
namespace {

HostFiber* running = nullptr;  // one thread runs all

}  // namespace

void DirectGroup::begin(HostFiber& fiber) {
  auto& item = *static_cast<Item*>(fiber.owner());
  item.group->entry_(item.group->arguments_);
  item.ended = true;
  fiber.leave(true);
}

void DirectGroup::wait() { running->leave(); }

void DirectGroup::enter(Item& item) {
  for (std::size_t d = 0; d < 3; ++d) {
    state_.local_id[d] = item.id[d];
    state_.global_id[d] = state_.group_id[d] * state_.local_size[d] + item.id[d];
  }
  state_.linear = item.linear;
  running = item.fiber;
  item.fiber->enter();
}

void DirectGroup::run(DirectModule::Entry entry, void* const* arguments) {
  entry_ = entry;
  arguments_ = arguments;
  state_.barrier = &DirectGroup::wait;
  const std::size_t count = state_.local_size[0] * state_.local_size[1] * state_.local_size[2];
  items_.assign(count, Item());
  waiting_.clear();
  fibers_.reset();
  for (std::size_t k = 0; k < count; ++k) {
    Item& item = items_[k];
    item.group = this;
    item.linear = static_cast<unsigned>(k);
    item.id = {static_cast<unsigned>(k % state_.local_size[0]),
               static_cast<unsigned>(k / state_.local_size[0] % state_.local_size[1]),
               static_cast<unsigned>(k / state_.local_size[0] / state_.local_size[1])};
    item.fiber = &fibers_.take();
    item.fiber->start(&DirectGroup::begin, &item);
    enter(item);
    if (item.ended)
      fibers_.give_back(*item.fiber);
    else
      waiting_.push_back(&item);
  }
  while (!waiting_.empty()) {
    next_.clear();
    for (Item* item : waiting_) {
      enter(*item);
      if (!item->ended) next_.push_back(item);
    }
    waiting_.swap(next_);
  }
}

}  // namespace twiddle
