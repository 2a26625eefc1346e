// What the encoder and the decoder carry from block to block, in file order.
#pragma once

#include "tracer/codec/columns/codec_columns.h"
#include "tracer/codec/columns/twiddle_table.h"
#include "tracer/trace/memory/replay_memory.h"
#include "tracer/trace/trace.h"

#include <algorithm>
#include <map>

namespace twiddle {

/// The buffers as replayed, and the twiddles seen so far. `variants` is the encoder's alone: which way of rounding was right
/// for a trace line the last time, to be tried first.
class CodecState {
 public:
  explicit CodecState(const std::vector<BufferInfo>& buffers) : memory_({}) { add(buffers); }

  /// More buffers, behind those that are known. A decoder may know them earlier than the encoder did.
  void add(std::span<const BufferInfo> buffers) {
    memory_.add(buffers);
    std::uint64_t most = 0;
    for (const BufferInfo& buffer : buffers) most = std::max(most, buffer.count);
    max_order_ = std::max(max_order_, max_log2_order(most));
  }

  void begin_launch(const LaunchInfo& launch) { memory_.begin_launch(launch); }
  ReplayMemory& memory() { return memory_; }
  const ReplayMemory& memory() const { return memory_; }
  TwiddleTables& twiddles() { return twiddles_; }
  unsigned max_order() const { return max_order_; }
  std::map<int, int>& variants() { return variants_; }

  /// Everything that predictions depend on, at a block's start. Copies share what they have in common.
  struct Snapshot {
    State state;
    TwiddleTables twiddles;
    std::size_t bytes_not_shared_with(const Snapshot& other) const {
      return state.bytes_not_shared_with(other.state) + twiddles.bytes_not_shared_with(other.twiddles);
    }
  };
  Snapshot save() { return {memory_.snapshot(), twiddles_}; }
  void restore(const Snapshot& snapshot, const LaunchInfo* launch) {
    memory_.restore(snapshot.state, launch);
    twiddles_ = snapshot.twiddles;
  }

 private:
  ReplayMemory memory_;
  TwiddleTables twiddles_;
  unsigned max_order_ = 1;
  std::map<int, int> variants_;  // by TraceInfo::sites index
};

}  // namespace twiddle
