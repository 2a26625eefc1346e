// What a kernel did that no kernel may do, as the host executor saw it happen.
#pragma once

#include "base/error.h"
#include "tracer/access/access.h"
#include "tracer/trace/trace.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace twiddle {

/// Ends a launch. The sentence names the work-item, the line and the element; the parts are here for the caller to make a
/// finding of. Buffers keep what was written until then, the log of the operations before it among them.
class KernelFault : public Error {
 public:
  using Kind = Fault::Kind;

  KernelFault(const std::string& place_, const Message& sentence_, Kind kind_)
      : Error(ExitCode::findings, Message("{}{}", place_, sentence_)),
        kind(kind_),
        place(place_),
        sentence(sentence_) {}

  /// The same fault, said at greater length.
  KernelFault(const Message& sentence_, const KernelFault& other) : KernelFault(other.place, sentence_, other.kind) {
    items = other.items, line = other.line;
    parameter = other.parameter, buffer = other.buffer, element = other.element;
    accesses = other.accesses;
  }

  Kind kind;
  std::vector<std::uint64_t> items;  // culprits: groups in order, items of a group in order
  int line = 0;                      // of the kernel's source; 0: not known
  int parameter = -1;                // whose memory was meant: index into the kernel's parameters; −1: none of them
  std::string buffer;                // that parameter's name, or a shared variable's
  std::int64_t element = 0;          // out of bounds: which element of it
  std::shared_ptr<RawAccesses>
      accesses;       // of a launch that was logged: what happened until then, the stray access last
  std::string place;  // "mine.cu:7: ", and what is said after it
  Message sentence;
};

}  // namespace twiddle
