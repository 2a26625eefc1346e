// The blocks of a trace decoded one after another, with the state that they lead to.
#pragma once

#include "tracer/codec/codec.h"
#include "tracer/codec/codec_state.h"
#include "tracer/trace/trace_source.h"

#include <cstddef>
#include <cstdint>

namespace twiddle {

/// Is before block `next()`: all blocks before it are decoded. Local arrays are those of the latest launch that did something: a
/// launch forgets them when its first block is decoded, or when it is entered. Everything throws Error (unreadable) where the
/// trace, which must outlive this, is damaged.
class BlockDecoder {
 public:
  /// Before the first block, buffers having their first content.
  explicit BlockDecoder(const TraceSource& trace);

  std::size_t next() const { return next_; }
  int launch() const { return launch_; }
  /// The last launch whose patches are in place.
  int patched_launch() const { return patched_launch_; }
  CodecState& codec() { return codec_; }
  std::uint64_t patched() const { return patched_; }  // elements
  std::uint64_t inconsistent_reads() const { return inconsistent_; }

  /// Puts in place what the device held after the launches up to this one, as far as it is not there.
  void patch_through(int launch);
  /// The same with the launches that end before the next block begins; with all of them when there is none.
  void patch_before_next();
  /// Is in this launch, with its local arrays unknown, whether blocks of it follow or not.
  void enter(int launch);
  /// The next block, after the patches of the launches before its own. `room`: a block that is no longer needed.
  OperationBlock decode_next(OperationBlock room = {});

  /// A moment to come back to.
  struct Checkpoint {
    CodecState::Snapshot codec;
    std::size_t next;
    int launch, patched_launch;
  };
  Checkpoint save() { return {codec_.save(), next_, launch_, patched_launch_}; }
  void restore(const Checkpoint& checkpoint);

 private:
  const TraceSource& trace_;
  CodecState codec_;
  std::size_t next_ = 0;
  int launch_ = 0;  // whose local arrays the memory holds; 0: none
  int patched_launch_ = 0;
  std::uint64_t patched_ = 0, inconsistent_ = 0;
};

}  // namespace twiddle
