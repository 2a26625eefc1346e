// Which buffers hold the real and which the imaginary parts of the same values, as far as a trace says it: values alone do not
// tell a transform of exchanged parts from an inverse one.
#pragma once

#include "tracer/trace/trace.h"

#include <set>
#include <string_view>
#include <utility>

namespace twiddle {

/// 1 where two names say that the first one's buffer has real parts and the second's the imaginary ones (re and im, xr and xi,
/// in_real and in_imag); −1 where it is the other way round; 0 where they say nothing.
int order_of_names(std::string_view first, std::string_view second);

class KnownParts {
 public:
  /// Of pairs that the trace has, the plan's expectation, and names.
  explicit KnownParts(const TraceInfo& info);
  /// 1: the first buffer has real parts, and the second the imaginary ones; −1: the other way round; 0: nothing says so.
  int order(int first, int second) const;
  /// Whether the expectation says that real and imaginary parts take turns in a buffer.
  bool take_turns(int buffer) const { return turns_.contains(buffer); }

 private:
  const TraceInfo& info_;
  std::set<std::pair<int, int>> known_;  // real, imaginary
  std::set<int> turns_;
};

}  // namespace twiddle
