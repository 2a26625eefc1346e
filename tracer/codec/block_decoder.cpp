#include "tracer/codec/block_decoder.h"

#include "base/error.h"

#include <span>
#include <utility>

namespace twiddle {

BlockDecoder::BlockDecoder(const TraceSource& trace) : trace_(trace), codec_(trace.info().buffers) {
  for (std::size_t b = 0; b < trace.info().buffers.size(); ++b)
    trace.for_each_content(static_cast<int>(b), [&](std::uint64_t first, std::span<const std::byte> bytes) {
      codec_.memory().assign(static_cast<int>(b), first, bytes);
    });
}

void BlockDecoder::patch_through(int launch) {
  const TraceInfo& info = trace_.info();
  for (; patched_launch_ < launch; ++patched_launch_)
    trace_.for_each_patch(patched_launch_ + 1, [&](const TraceSource::Patch& patch) {
      const std::size_t size = traits(info.buffers[patch.buffer].type).bytes;
      for (std::size_t i = 0; i < patch.elements.size(); ++i)
        codec_.memory().assign(patch.buffer, std::uint64_t(patch.elements[i]) * size,
                               std::span(patch.bytes).subspan(i * size, size));
      patched_ += patch.elements.size();
    });
}

void BlockDecoder::patch_before_next() {
  const TraceInfo& info = trace_.info();
  patch_through(next_ < trace_.blocks().size() ? info.segments[trace_.blocks()[next_].segment].launch - 1
                                               : static_cast<int>(info.launches.size()));
}

void BlockDecoder::enter(int launch) {
  if (launch != launch_) codec_.begin_launch(*trace_.info().launch(launch));
  launch_ = launch;
}

OperationBlock BlockDecoder::decode_next(OperationBlock room) {
  const BlockEntry& entry = trace_.blocks()[next_];
  patch_before_next();
  enter(trace_.info().segments[entry.segment].launch);
  OperationBlock block = decode(trace_.block_bytes(entry), codec_, trace_.info(), &inconsistent_, std::move(room));
  if (block.count != entry.count || block.barriers != entry.barriers)
    throw unreadable("{}: a block of the trace is not what its row says", trace_.path().string());
  block.segment = entry.segment;
  block.first_step = entry.first_step;
  ++next_;
  return block;
}

void BlockDecoder::restore(const Checkpoint& checkpoint) {
  const auto& launches = trace_.info().launches;
  codec_.restore(checkpoint.codec, checkpoint.launch > 0 ? &launches[checkpoint.launch - 1] : nullptr);
  next_ = checkpoint.next;
  launch_ = checkpoint.launch;
  patched_launch_ = checkpoint.patched_launch;
}

}  // namespace twiddle
