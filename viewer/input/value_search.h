// Where in a trace values are NaN, or large: one pass over all of them, on a thread of its own.
#pragma once

#include "tracer/trace/block.h"
#include "tracer/trace/trace_source.h"
#include "viewer/document/background.h"
#include "viewer/facts/watch.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace twiddle {

/// Whether an operation meets a condition on its values (Above, NotANumber).
bool value_holds(const StopCondition& condition, const Operation& op);

/// What can be said of the values of a block at once: no component's absolute value is above `component`, and one may be NaN.
struct ValueBound {
  double component = 0;
  bool nan = false;
  /// False where no operation of the block can meet the condition.
  bool may_hold(const StopCondition& condition) const;
};
ValueBound bound_of(const OperationBlock& block);

/// The bounds of a trace's first blocks: of as many as a search has passed. The next search only looks at blocks in which
/// something can be.
struct ValueBounds {
  std::mutex mutex;
  std::vector<ValueBound> of_block;
};

/// The steps at which a condition on values is met.
class ValueSearch {
 public:
  /// Begins to search, until `max_hits` steps and one more are found.
  ValueSearch(std::shared_ptr<const TraceSource> trace, const StopCondition& condition,
              std::shared_ptr<ValueBounds> bounds, std::size_t max_hits);

  /// What was found since the last call is appended, ascending. True once there is nothing more to come, for which this
  /// waits at most so long.
  bool take(std::vector<std::uint64_t>& steps, double patience_ms);
  /// Once nothing more comes: why not all of it was looked at; "" if it was.
  const Message& problem() const { return problem_; }

 private:
  Message search(const std::atomic<bool>& stop);
  void look_at(const OperationBlock& block);

  std::shared_ptr<const TraceSource> trace_;
  StopCondition condition_;
  std::shared_ptr<ValueBounds> bounds_;
  std::size_t max_hits_;
  std::mutex mutex_;
  std::vector<std::uint64_t> found_;  // and not yet taken
  std::size_t found_in_all_ = 0;      // the thread's own
  Message problem_;
  Background<Message> thread_;  // last: it ends before what it works on
};

}  // namespace twiddle
