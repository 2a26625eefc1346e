#include "tracer/replay/replay.h"

#include "base/error.h"
#include "tracer/codec/block_decoder.h"
#include "tracer/codec/codec.h"
#include "tracer/trace/memory/apply.h"

#include <algorithm>
#include <cassert>
#include <list>
#include <map>
#include <unordered_map>
#include <utility>

namespace twiddle {
namespace {

std::size_t memory_of(const OperationBlock& block) {
  std::size_t bytes =
      sizeof block + block.item.size() * 4 + block.slot.size() * 4 + block.site.size() + block.rank.size() * 4;
  for (const SiteColumns& site : block.sites) {
    for (const auto& column : site.index) bytes += column.size() * 4;
    for (const auto* columns : {&site.coefficients, &site.reads, &site.writes})
      for (const auto& column : *columns) bytes += column.size();
  }
  return bytes;
}

// The blocks used last, within a budget of bytes.
class BlockCache {
 public:
  using Block = std::shared_ptr<const OperationBlock>;
  explicit BlockCache(std::size_t budget) : budget_(budget) {}

  Block find(std::size_t number) {
    const auto found = entries_.find(number);
    if (found == entries_.end()) return nullptr;
    order_.splice(order_.begin(), order_, found->second);
    return found->second->second;
  }
  void keep(std::size_t number, Block block) {
    if (entries_.count(number)) return;
    bytes_ += memory_of(*block);
    order_.emplace_front(number, std::move(block));
    entries_[number] = order_.begin();
    while (bytes_ > budget_ && order_.size() > 1) {
      bytes_ -= memory_of(*order_.back().second);
      entries_.erase(order_.back().first);
      order_.pop_back();
    }
  }

 private:
  std::size_t budget_, bytes_ = 0;
  std::list<std::pair<std::size_t, Block>> order_;  // the latest first
  std::unordered_map<std::size_t, std::list<std::pair<std::size_t, Block>>::iterator> entries_;
};

}  // namespace

struct Replay::Implementation {
  std::shared_ptr<const TraceSource> trace;
  std::size_t budget;
  BlockDecoder decoder;  // patches of the launches before its next block are in place
  std::map<std::size_t, BlockDecoder::Checkpoint> checkpoints;  // by the block they are before
  std::size_t checkpoint_bytes = 0;
  BlockCache cache, index_cache;
  std::vector<std::size_t> first_block;  // of each segment

  std::uint64_t step = 0;
  mutable bool fresh = false;    // whether `state` is that of `step`
  State state;                   // at some step …
  std::uint64_t state_step = 0;  // … this one, inside block `state_block` (operations of it done: one or more, not all)
  std::size_t state_block = SIZE_MAX;

  Implementation(std::shared_ptr<const TraceSource> reader, std::size_t memory_budget)
      : trace(std::move(reader)),
        budget(memory_budget),
        decoder(*trace),
        cache(memory_budget / 4),
        index_cache(memory_budget / 16) {
    const auto& blocks = trace->blocks();
    first_block.assign(trace->info().segments.size() + 1, blocks.size());
    for (std::size_t b = blocks.size(); b-- > 0;) first_block[blocks[b].segment] = b;
    for (std::size_t s = first_block.size() - 1; s-- > 0;)
      first_block[s] = std::min(first_block[s], first_block[s + 1]);
    decoder.patch_before_next();
    checkpoints.emplace(0, decoder.save());
  }

  // The number of the block that holds a step from 1 on.
  std::size_t block_number(std::uint64_t wanted) const {
    const auto& blocks = trace->blocks();
    // Barrier blocks have no steps; they are after the steps of their segment.
    const std::size_t segment = segment_of(wanted);
    const auto begin = blocks.begin() + static_cast<std::ptrdiff_t>(first_block[segment]),
               end = blocks.begin() + static_cast<std::ptrdiff_t>(first_block[segment + 1]);
    const auto found = std::partition_point(begin, end, [&](const BlockEntry& entry) {
      return !entry.barriers && entry.first_step + entry.count <= wanted;
    });
    return static_cast<std::size_t>(found - blocks.begin());
  }

  std::size_t segment_of(std::uint64_t wanted) const {
    const TraceInfo& info = trace->info();
    if (info.segments.empty() || wanted == 0) return 0;
    return std::min(info.segment_of(wanted), info.segments.size() - 1);
  }

  void keep_checkpoint() {
    const std::size_t at = decoder.next();
    if (checkpoints.count(at)) return;
    const auto added = checkpoints.emplace(at, decoder.save()).first;
    checkpoint_bytes += added->second.codec.bytes_not_shared_with(std::prev(added)->second.codec);
    if (checkpoint_bytes <= budget / 2 || checkpoints.size() <= 2) return;
    // Every second one is dropped, never the first.
    bool drop = false;
    for (auto place = std::next(checkpoints.begin()); place != checkpoints.end();) {
      drop = !drop;
      place = drop && std::next(place) != checkpoints.end() ? checkpoints.erase(place) : std::next(place);
    }
    checkpoint_bytes = 0;
    for (auto place = std::next(checkpoints.begin()); place != checkpoints.end(); ++place)
      checkpoint_bytes += place->second.codec.bytes_not_shared_with(std::prev(place)->second.codec);
  }

  // Takes the decoder to before a block, keeping checkpoints at the starts of segments on the way.
  void move_before(std::size_t block) {
    const auto nearest = std::prev(checkpoints.upper_bound(block));
    if (decoder.next() > block || nearest->first > decoder.next()) decoder.restore(nearest->second);
    while (decoder.next() < block) decode_next();
  }

  // How many blocks move_before would have to decode.
  std::size_t decoding_left(std::size_t block) const {
    const std::size_t checkpoint = std::prev(checkpoints.upper_bound(block))->first;
    return block - (decoder.next() <= block ? std::max(decoder.next(), checkpoint) : checkpoint);
  }

  std::shared_ptr<const OperationBlock> decode_next() {
    const auto& blocks = trace->blocks();
    const std::size_t number = decoder.next();
    auto decoded = std::make_shared<const OperationBlock>(decoder.decode_next());
    decoder.patch_before_next();
    if (number + 1 == blocks.size() || blocks[number + 1].segment != blocks[number].segment) keep_checkpoint();
    return decoded;
  }

  std::shared_ptr<const OperationBlock> block(std::size_t number) {
    if (auto found = cache.find(number)) return found;
    move_before(number);
    auto decoded = decode_next();
    cache.keep(number, decoded);
    return decoded;
  }

  // Where the indices alone are wanted, no state is needed.
  std::shared_ptr<const OperationBlock> indices(std::size_t number) {
    if (auto found = cache.find(number)) return found;
    if (auto found = index_cache.find(number)) return found;
    const BlockEntry& entry = trace->blocks()[number];
    OperationBlock decoded = decode_indices(trace->block_bytes(entry), trace->info());
    if (decoded.count != entry.count)
      throw unreadable("{}: a block of the trace is not what its row says", trace->path().string());
    decoded.segment = entry.segment;
    decoded.first_step = entry.first_step;
    auto result = std::make_shared<const OperationBlock>(std::move(decoded));
    index_cache.keep(number, result);
    return result;
  }

  const LaunchInfo& launch_of(std::size_t block_at) const {
    const TraceInfo& info = trace->info();
    return info.launches[info.segments[trace->blocks()[block_at].segment].launch - 1];
  }

  // The state before a block; local arrays of an earlier launch are still there when a launch begins with it.
  State state_before(std::size_t number) {
    const auto found = checkpoints.find(number);
    if (found != checkpoints.end()) return found->second.codec.state;
    move_before(number);
    keep_checkpoint();  // more requests near it are likely
    const auto kept = checkpoints.find(number);
    return kept != checkpoints.end() ? kept->second.codec.state : decoder.codec().memory().snapshot();
  }

  void bring_state() {
    if (fresh) return;
    fresh = true;
    if (step == 0) {
      state = state_before(0);
      state_block = SIZE_MAX;
      return;
    }
    const std::size_t number = block_number(step);
    const BlockEntry& entry = trace->blocks()[number];
    const auto done = static_cast<std::uint32_t>(step - entry.first_step + 1);
    if (done == entry.count) {
      // Barriers are no steps: what happened after the last of them has happened here.
      std::size_t next = number + 1;
      while (next < trace->blocks().size() && trace->blocks()[next].barriers) ++next;
      state = state_before(next);
      state_block = SIZE_MAX;
      return;
    }
    std::uint32_t from = static_cast<std::uint32_t>(state_step - entry.first_step + 1);
    if (state_block != number || state_step > step) {
      from = 0;
      state = state_before(number);
      const bool first_of_launch = number == 0 || &launch_of(number - 1) != &launch_of(number);
      if (first_of_launch) state.forget_locals();
    }
    // Only now: once the block is decoded, the way to the state before it would have to be gone again.
    const auto operations = block(number);
    apply(*operations, from, done, launch_of(number).group_size(), state);
    state_block = number;
    state_step = step;
  }
};

Replay::Replay(std::shared_ptr<const TraceSource> trace, std::size_t memory_budget)
    : self_(std::make_unique<Implementation>(std::move(trace), memory_budget)) {}
Replay::~Replay() = default;

const TraceSource& Replay::trace() const { return *self_->trace; }
const TraceInfo& Replay::info() const { return self_->trace->info(); }
std::uint64_t Replay::step() const { return self_->step; }

void Replay::seek(std::uint64_t step) {
  step = std::min(step, info().steps);
  if (step == self_->step) return;
  self_->step = step;
  self_->fresh = false;
}

const State& Replay::state() const {
  self_->bring_state();
  return self_->state;
}

std::shared_ptr<const State> Replay::state_after(int segment) {
  const auto after = static_cast<std::size_t>(segment) + 1;
  assert(segment >= -1 && after < self_->first_block.size());
  // Barriers after the segment change nothing, so the start of the next segment is as good.
  return std::make_shared<const State>(self_->state_before(segment < 0 ? 0 : self_->first_block[after]));
}

Operation Replay::operation(std::uint64_t step) {
  const auto block = block_of(step);
  return block->operation(info(), static_cast<std::uint32_t>(step - block->first_step));
}

std::shared_ptr<const OperationBlock> Replay::block_of(std::uint64_t step) {
  assert(step >= 1 && step <= info().steps);
  return self_->block(self_->block_number(step));
}

std::shared_ptr<const OperationBlock> Replay::indices_of(std::uint64_t step) {
  assert(step >= 1 && step <= info().steps);
  return self_->indices(self_->block_number(step));
}

bool Replay::approach(std::uint64_t step, std::size_t blocks) {
  if (step == 0) return true;
  const std::size_t number = self_->block_number(std::min(step, info().steps));
  const std::size_t left = self_->decoding_left(number);
  if (left == 0) return true;
  if (blocks == 0) return false;  // not even back to where the way begins: that copies whole buffers
  self_->move_before(std::min(number, number - left + blocks));
  if (self_->decoding_left(number) > 0) return false;
  self_->keep_checkpoint();
  return true;
}

void Replay::for_each(std::uint64_t first, std::uint64_t last, bool with_barriers,
                      const std::function<bool(const Operation&)>& each) {
  const auto& blocks = self_->trace->blocks();
  first = std::max<std::uint64_t>(first, 1);
  last = std::min(last, info().steps);
  if (first > last && info().steps > 0) return;  // without any steps there may still be barriers
  for (std::size_t number = first == 1 ? 0 : self_->block_number(first); number < blocks.size(); ++number) {
    const BlockEntry& entry = blocks[number];
    if (!entry.barriers && entry.first_step > last) return;
    // Barriers end a segment: they belong to the range when the whole segment's end does.
    if (entry.barriers && (!with_barriers || info().segments[entry.segment].end_step() > last + 1)) continue;
    const auto block = self_->block(number);
    for (std::uint32_t i = 0; i < block->count; ++i) {
      const std::uint64_t step = entry.first_step + i;
      if (!entry.barriers && (step < first || step > last)) continue;
      if (!each(block->operation(info(), i))) return;
    }
  }
}

void Replay::for_each_block(const std::function<bool(const std::shared_ptr<const OperationBlock>&)>& each) {
  for (std::size_t number = 0; number < self_->trace->blocks().size(); ++number)
    if (!each(self_->block(number))) return;
}

std::uint64_t Replay::last_writer(int buffer, std::uint64_t group, std::uint64_t index, std::uint64_t at) {
  at = std::min(at, info().steps);
  if (at == 0) return 0;
  const bool local = info().buffers.at(static_cast<std::size_t>(buffer)).space == Space::Local;
  const auto& blocks = self_->trace->blocks();
  for (std::size_t number = self_->block_number(at) + 1; number-- > 0;) {
    const BlockEntry& entry = blocks[number];
    if (entry.barriers || index < entry.first_written || index > entry.last_written) continue;
    if (entry.written_buffer >= 0 && entry.written_buffer != buffer) continue;
    const std::uint64_t group_size = std::max<std::uint64_t>(self_->launch_of(number).group_size(), 1);
    if (local && (group < entry.first_item / group_size || group > entry.last_item / group_size)) continue;
    const auto block = self_->indices(number);
    for (std::uint32_t i = block->count; i-- > 0;) {
      if (entry.first_step + i > at) continue;
      const SiteColumns& columns = block->columns_of(i);
      const ShapeTraits& shape = traits(columns.shape);
      if (shape.writes == 0 || columns.buffers[shape.write_buffer] != buffer) continue;
      if (local && block->item[i] / group_size != group) continue;
      const std::uint32_t row = block->row_of(i);
      for (std::size_t w = 0; w < std::size_t(shape.writes); ++w)
        if (columns.index[shape.write_index[w]][row] == index) return entry.first_step + i;
    }
  }
  return 0;
}

std::size_t Replay::segment_of(std::uint64_t step) const { return self_->segment_of(step); }

Replay::Check Replay::check() const {
  BlockDecoder decoder(*self_->trace);
  OperationBlock block;
  while (decoder.next() < self_->trace->blocks().size()) block = decoder.decode_next(std::move(block));
  decoder.patch_before_next();
  return {decoder.inconsistent_reads(), decoder.patched()};
}

void pass_blocks(const TraceSource& trace, const std::function<bool(const OperationBlock&)>& each) {
  BlockDecoder decoder(trace);
  OperationBlock block;
  while (decoder.next() < trace.blocks().size()) {
    block = decoder.decode_next(std::move(block));
    if (!each(block)) return;
  }
}

}  // namespace twiddle
