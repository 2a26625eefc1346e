// What the encoder and the decoder carry from block to block, in file order.
#pragma once

#include "tracer/replay_memory.h"
#include "tracer/trace.h"

namespace twiddle {

class CodecState {
 public:
  explicit CodecState(const std::vector<BufferInfo>& buffers) : memory_(buffers) {}

  /// Everything that predictions depend on, at a block's start. Copies share what they have in common.
  struct Snapshot {
    State state;
    std::size_t bytes_not_shared_with(const Snapshot& other) const { return state.bytes_not_shared_with(other.state); }
  };
  Snapshot save() { return {memory_.snapshot()}; }
  void restore(const Snapshot& snapshot, const LaunchInfo* launch) { memory_.restore(snapshot.state, launch); }

  void begin_launch(const LaunchInfo& launch) { memory_.begin_launch(launch); }
  ReplayMemory& memory() { return memory_; }
  const ReplayMemory& memory() const { return memory_; }

 private:
  ReplayMemory memory_;
};

}  // namespace twiddle
