// Replay: the state of every buffer at any step, forwards and backwards, and the operations with their values.
#pragma once

#include "tracer/trace/block.h"
#include "tracer/trace/memory/state.h"
#include "tracer/trace/trace_source.h"

#include <functional>
#include <memory>

namespace twiddle {

/// Is after `step()` operations: 0 is before the first, info().steps after the last. Seeking decodes from the nearest
/// checkpoint (one is kept at the start of every segment passed, and where one looked around, within a memory budget);
/// seeking equals stepping.
class Replay {
 public:
  explicit Replay(std::shared_ptr<const TraceSource> trace, std::size_t memory_budget = std::size_t(1) << 30);
  ~Replay();

  const TraceSource& trace() const;
  const TraceInfo& info() const;

  std::uint64_t step() const;
  void seek(std::uint64_t step);

  /// The operation performed by a step (1 … steps), with values. Does not move the replay.
  Operation operation(std::uint64_t step);
  /// All operations of [first, last] in order, barriers between them as asked; stops when `each` returns false.
  void for_each(std::uint64_t first, std::uint64_t last, bool with_barriers,
                const std::function<bool(const Operation&)>& each);
  /// All blocks in order, those of barriers too; stops when `each` returns false. They may be kept, on any thread.
  void for_each_block(const std::function<bool(const std::shared_ptr<const OperationBlock>&)>& each);
  /// The decoded block that holds a step: for callers that need columns. Shared and immutable.
  std::shared_ptr<const OperationBlock> block_of(std::uint64_t step);
  /// The same as far as it can be had without decoding the blocks before it: items, slots, sites and index words, but
  /// neither coefficients nor values.
  std::shared_ptr<const OperationBlock> indices_of(std::uint64_t step);
  /// Goes on decoding towards `step`, at most `blocks` blocks. True when the way is done: block_of(step), and the state
  /// there, then take one block's decoding at most. For callers that must not wait for the whole way at once.
  bool approach(std::uint64_t step, std::size_t blocks);

  /// The state here; and after a whole segment (0-based index; −1: before the first), without moving the replay.
  const State& state() const;
  std::shared_ptr<const State> state_after(int segment);

  /// The step at or before `at` that last wrote an element (0: none did). `group` matters for local arrays.
  std::uint64_t last_writer(int buffer, std::uint64_t group, std::uint64_t index, std::uint64_t at);

  /// Segment that holds a step (steps count from 1), or of step 0: 0.
  std::size_t segment_of(std::uint64_t step) const;

  /// Whether everything decodes and the end of the replay equals what the device held: number of unexplained elements.
  struct Check {
    std::uint64_t inconsistent_reads = 0, unexplained = 0;
  };
  Check check() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> self_;
};

/// All blocks of a trace in order, those of barriers too, for one pass over what may be gigabytes: each is gone when `each`
/// returns, and nothing is kept. Stops when `each` returns false. Throws Error (unreadable).
void pass_blocks(const TraceSource& trace, const std::function<bool(const OperationBlock&)>& each);

}  // namespace twiddle
