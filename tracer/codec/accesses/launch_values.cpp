#include "tracer/codec/accesses/launch_values.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace twiddle {
namespace {

constexpr std::uint64_t bytes_per_operation = 96;            // about; of a butterfly of two points it is 80
constexpr std::uint64_t max_items = std::uint64_t(1) << 24;  // of which a list is kept

}  // namespace

LaunchValues::LaunchValues(std::uint64_t group_size) : group_size_(std::max<std::uint64_t>(group_size, 1)) {}

const std::byte* LaunchValues::Place::value(std::uint32_t which) const {
  const std::size_t coefficients = columns->coefficients.size(), reads = columns->reads.size();
  const std::vector<std::byte>& column = which < coefficients           ? columns->coefficients[which]
                                         : which < coefficients + reads ? columns->reads[which - coefficients]
                                                                        : columns->writes[which - coefficients - reads];
  return column.data() + row * traits(type(which)).bytes;
}

void LaunchValues::add(std::shared_ptr<const OperationBlock> block) {
  if (!block->barriers) blocks_.push_back(std::move(block));
}

template <typename Each>
void LaunchValues::for_each_operation(const Each& each) const {
  for (const auto& block : blocks_)
    for (std::uint32_t i = 0; i < block->count; ++i) {
      const std::uint64_t item = block->item[i];
      if (item < first_item_ || item - first_item_ >= items_) continue;
      each(item - first_item_, Place{&block->columns_of(i), block->row_of(i)});
    }
}

void LaunchValues::close(std::uint64_t first, std::uint64_t end) {
  first_item_ = first;
  items_ = end - first;
  begin_.assign(items_ + 1, 0);
  for_each_operation([&](std::uint64_t item, const Place&) { ++begin_[item + 1]; });
  for (std::uint64_t i = 0; i < items_; ++i) begin_[i + 1] += begin_[i];
  places_.resize(begin_[items_]);
  std::vector<std::uint64_t> next(begin_.begin(), begin_.end() - 1);
  for_each_operation([&](std::uint64_t item, const Place& place) { places_[next[item]++] = place; });
}

void LaunchValuesFinder::keep_checkpoint(int launch) {
  if (checkpoints_.count(launch)) return;
  const auto added = checkpoints_.emplace(launch, decoder_->save()).first;
  const auto cost = [&](auto place) {
    return place == checkpoints_.begin() ? std::size_t(0)
                                         : place->second.codec.bytes_not_shared_with(std::prev(place)->second.codec);
  };
  checkpoint_bytes_ += cost(added);
  if (checkpoint_bytes_ <= budget_ || checkpoints_.size() <= 2) return;
  // Every second one is dropped, never the first.
  bool drop = false;
  for (auto place = std::next(checkpoints_.begin()); place != checkpoints_.end();) {
    drop = !drop;
    place = drop && std::next(place) != checkpoints_.end() ? checkpoints_.erase(place) : std::next(place);
  }
  checkpoint_bytes_ = 0;
  for (auto place = checkpoints_.begin(); place != checkpoints_.end(); ++place) checkpoint_bytes_ += cost(place);
}

// To the beginning of a launch, whose first block is or would be that one.
void LaunchValuesFinder::move_before(int launch, std::size_t first_block) {
  if (!decoder_) {
    decoder_.emplace(trace_);
    checkpoints_.emplace(0, decoder_->save());
  }
  const auto nearest = std::prev(checkpoints_.upper_bound(launch));
  const bool passed =
      decoder_->next() > first_block || decoder_->launch() >= launch || decoder_->patched_launch() >= launch;
  if (passed || nearest->second.next > decoder_->next()) decoder_->restore(nearest->second);
  OperationBlock room;
  while (decoder_->next() < first_block) room = decoder_->decode_next(std::move(room));
  decoder_->patch_through(launch - 1);
  decoder_->enter(launch);
  keep_checkpoint(launch);
}

std::shared_ptr<const LaunchValues> LaunchValuesFinder::find(int launch, std::uint64_t first_item,
                                                             std::uint64_t items) {
  const std::lock_guard lock(mutex_);
  if (last_ && launch_ == launch && last_->covers(first_item, items)) return last_;
  last_ = nullptr;
  const TraceInfo& info = trace_.info();
  const auto& blocks = trace_.blocks();
  const auto launch_of = [&](const BlockEntry& entry) { return info.segments[entry.segment].launch; };
  const auto begin = std::partition_point(blocks.begin(), blocks.end(),
                                          [&](const BlockEntry& entry) { return launch_of(entry) < launch; });
  const auto end =
      std::partition_point(begin, blocks.end(), [&](const BlockEntry& entry) { return launch_of(entry) <= launch; });
  // All items where there is room for their operations; else a run of them, so that neighbours need no other pass.
  const LaunchInfo& about = *info.launch(launch);
  std::uint64_t operations = 0;
  for (auto entry = begin; entry != end; ++entry) operations += entry->barriers ? 0 : entry->count;
  std::uint64_t first = 0, count = std::max<std::uint64_t>(about.items(), first_item + items);
  if (const std::uint64_t room = budget_ / bytes_per_operation; operations > room || count > max_items) {
    const double share = double(room) / double(std::max<std::uint64_t>(operations, 1));
    const auto run = static_cast<std::uint64_t>(std::clamp(double(count) * share, 1.0, double(max_items)));
    first = first_item / run * run;
    count = std::max(run, first_item + items - first);
  }
  auto found = std::make_shared<LaunchValues>(about.group_size());
  move_before(launch, static_cast<std::size_t>(begin - blocks.begin()));
  found->before = decoder_->codec().memory().snapshot();
  OperationBlock room;
  for (auto entry = begin; entry != end; ++entry) {
    OperationBlock block = decoder_->decode_next(std::move(room));
    if (block.barriers || entry->last_item < first ||
        entry->first_item - std::min<std::uint64_t>(entry->first_item, first) >= count) {
      room = std::move(block);
      continue;
    }
    room = {};
    found->add(std::make_shared<const OperationBlock>(std::move(block)));
  }
  decoder_->patch_through(launch);
  found->after = decoder_->codec().memory().snapshot();
  found->close(first, first + count);
  launch_ = launch;
  last_ = found;
  return found;
}

}  // namespace twiddle
