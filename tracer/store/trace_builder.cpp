#include "tracer/store/trace_builder.h"

#include "tracer/codec/accesses/accesses.h"
#include "tracer/codec/codec.h"
#include "tracer/store/chunks.h"
#include "tracer/trace/begun.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

namespace twiddle {
namespace {

bool all_zero(std::span<const std::byte> bytes) {
  return bytes.empty() ||
         (bytes[0] == std::byte{0} && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

// The elements that a block writes; see BlockEntry.
void set_written_range(BlockEntry& entry, const OperationBlock& block) {
  entry.first_written = UINT32_MAX;
  bool any = false;
  for (const SiteColumns& columns : block.sites) {
    const ShapeTraits& shape = traits(columns.shape);
    if (shape.writes == 0 || columns.count == 0) continue;
    const int buffer = columns.buffers[shape.write_buffer];
    entry.written_buffer = !any || entry.written_buffer == buffer ? buffer : -1;
    any = true;
    for (std::size_t w = 0; w < std::size_t(shape.writes); ++w)
      for (const std::uint32_t index : columns.index[shape.write_index[w]]) {
        entry.first_written = std::min(entry.first_written, index);
        entry.last_written = std::max(entry.last_written, index);
      }
  }
}

}  // namespace

void TraceBuilder::put_progress() {
  if (facts_) store_.put_segment(segments_ - 1, facts_->segment());
  if (!launch_) return;
  LaunchInfo now = *launch_;
  now.kept = kept_;
  now.inconsistent_reads = inconsistent_;
  store_.put_launch(now);
}

void TraceBuilder::open_segment(int epoch, int stage) {
  close_segment();
  if (segments_ > 0 || next_step_ > 1) put_summaries(static_cast<std::int64_t>(segments_) - 1);
  epoch_ = epoch;
  stage_ = stage;
  facts_.emplace(launch_->number, epoch, stage, next_step_);
  ++segments_;
}

void TraceBuilder::close_segment() {
  if (!facts_) return;
  Segment segment = facts_->segment();
  reversed_.settle(segments_ - 1, segment, *facts_,
                   [&](std::size_t id, const Segment& earlier) { store_.put_segment(id, earlier); });
  store_.put_segment(segments_ - 1, segment);
  facts_.reset();
}

void TraceBuilder::put_summaries(std::int64_t segment) {
  if (info_.detail != Detail::Values || segment >= std::int64_t(schema::max_summarised_segments)) return;
  const std::vector<bool> changed = summaries_->renew(codec_->memory());
  for (std::size_t b = 0; b < changed.size(); ++b)
    if (changed[b]) store_.put_summary(segment, static_cast<int>(b), summaries_->of(static_cast<int>(b)));
}

// Stores where the device differs from the replay, and puts the device's content in its place. Returns how many elements.
std::uint64_t TraceBuilder::patch(int buffer, std::span<const std::byte> device) {
  const std::span<const std::byte> replayed = codec_->memory().bytes(buffer);
  const std::size_t size = std::min(replayed.size(), device.size());
  const std::size_t element = traits(info_.buffers[buffer].type).bytes;
  std::uint64_t differing = 0;
  TraceSource::Patch patch{buffer, {}, {}};
  for (std::size_t page = 0; page < size; page += State::page_bytes) {
    const std::size_t end = std::min(size, page + State::page_bytes);
    if (std::memcmp(replayed.data() + page, device.data() + page, end - page) == 0) continue;
    for (std::size_t at = page; at + element <= end; at += element) {
      if (std::memcmp(replayed.data() + at, device.data() + at, element) == 0) continue;
      patch.elements.push_back(static_cast<std::uint32_t>(at / element));
      patch.bytes.insert(patch.bytes.end(), device.begin() + static_cast<std::ptrdiff_t>(at),
                         device.begin() + static_cast<std::ptrdiff_t>(at + element));
      ++differing;
    }
    codec_->memory().assign(buffer, page, device.subspan(page, end - page));
    if (info_.detail == Detail::Values && patch.elements.size() + State::page_bytes / element > schema::patch_chunk) {
      store_.put_patch(launch_->number, patch);
      patch.elements.clear();
      patch.bytes.clear();
    }
  }
  if (info_.detail == Detail::Values && !patch.elements.empty()) store_.put_patch(launch_->number, patch);
  return differing;
}

void TraceBuilder::begin(const TraceInfo& info) {
  info_ = info;
  info_.complete = false;
  codec_.emplace(info.buffers);
  summaries_.emplace(info.buffers);
  store_.put_metadata(info_);
}

void TraceBuilder::first_content(int buffer, std::span<const std::byte> bytes) {
  const BufferInfo& info = info_.buffers.at(static_cast<std::size_t>(buffer));
  bytes = bytes.first(std::min<std::size_t>(bytes.size(), info.count * traits(info.type).bytes));
  for (std::size_t at = 0; at < bytes.size(); at += schema::content_chunk) {
    const auto part = bytes.subspan(at, std::min(schema::content_chunk, bytes.size() - at));
    if (all_zero(part)) continue;
    codec_->memory().assign(buffer, at, part);
    store_.put_content(buffer, at, part);
  }
}

void TraceBuilder::begin_launch(const LaunchInfo& launch) {
  if (!launch_) put_summaries(-1);
  launch_ = launch;
  kept_ = inconsistent_ = 0;
  logs_.clear();
  held_ = false;
  known_.reset();
  codec_->begin_launch(launch);
  // Callers may know already what is still to come into the trace: until it has, the launch is one that began.
  launch_->accesses = {};
  launch_->accesses.reason = begun_reason(false);
  launch_->attempted = launch_->unexplained = 0;
  put_progress();
}

void TraceBuilder::add_buffers(std::span<const BufferInfo> buffers) {
  codec_->add(buffers);
  summaries_->add(buffers);
  info_.buffers.insert(info_.buffers.end(), buffers.begin(), buffers.end());
  store_.put_buffers(buffers);
}

void TraceBuilder::add_sources(std::span<const SourceText> sources) {
  info_.sources.insert(info_.sources.end(), sources.begin(), sources.end());
  store_.put_sources(sources);
}

void TraceBuilder::add_sites(std::span<const Site> sites, std::span<const AccessSite> access_sites) {
  info_.sites.insert(info_.sites.end(), sites.begin(), sites.end());
  info_.access_sites.insert(info_.access_sites.end(), access_sites.begin(), access_sites.end());
  store_.put_sites(sites, access_sites);
}

void TraceBuilder::accesses(const AccessLog& log) {
  assert(launch_);
  if (logs_.empty() && kept_ == 0 && info_.detail == Detail::Values) {
    known_ = std::make_unique<LaunchValues>(launch_->group_size());
    known_->before = codec_->memory().snapshot();
  }
  logs_.push_back(&log);
}

void TraceBuilder::put_accesses(const LaunchValues* known) {
  for (const AccessLog* log : logs_)
    // As many items as make one piece, and at least one.
    for (std::uint64_t first = 0; first < log->items();) {
      std::uint64_t end = first + 1;
      while (end < log->items() && log->begin[end + 1] - log->begin[first] <= schema::access_chunk) ++end;
      store_.put_accesses(
          {0, launch_->number, log->first_item + first, end - first, log->begin[end] - log->begin[first]},
          encode_accesses(*log, first, end - first, info_.access_sites, known));
      first = end;
    }
}

void TraceBuilder::put_accesses_until_end(const LaunchInfo& launch) {
  assert(launch_ && launch_->number == launch.number);
  if (logs_.empty()) return;
  launch_ = launch;
  launch_->accesses.reason = begun_reason(true);
  put_accesses(nullptr);
  held_ = true;
  put_progress();
}

void TraceBuilder::put_last_accesses() {
  if (logs_.empty()) return;
  if (known_) {
    known_->after = codec_->memory().snapshot();
    known_->close(logs_.front()->first_item, logs_.back()->first_item + logs_.back()->items());
  }
  if (held_) store_.take_back_accesses(launch_->number);
  put_accesses(known_.get());
  logs_.clear();
  known_.reset();
}

void TraceBuilder::append(int epoch, int stage, OperationBlock&& block) {
  assert(launch_ && block.count > 0 && block.count <= block_capacity);
  if (!facts_ || (!block.barriers && (epoch != epoch_ || stage != stage_))) open_segment(epoch, stage);
  block.segment = segments_ - 1;
  block.first_step = block.barriers ? 0 : next_step_;
  if (!block.barriers) {
    next_step_ += block.count;
    facts_->add(block);
  }
  kept_ += block.count;
  std::vector<std::byte> data = encode(block, *codec_, inconsistent_);
  BlockEntry entry;
  entry.segment = block.segment;
  entry.first_step = block.first_step;
  entry.count = block.count;
  entry.barriers = block.barriers;
  entry.first_item = block.item.front();
  entry.last_item = block.item.back();
  set_written_range(entry, block);
  store_.put_block(entry, std::move(data));
  if (known_ && !block.barriers) known_->add(std::make_shared<const OperationBlock>(std::move(block)));
}

void TraceBuilder::end_launch(const LaunchInfo& launch, const DeviceBuffer& device_buffer) {
  assert(launch_ && launch_->number == launch.number);
  close_segment();
  std::uint64_t unexplained = 0;
  for (std::size_t b = 0; device_buffer && b < info_.buffers.size(); ++b)
    if (info_.buffers[b].space != Space::Local && !info_.buffers[b].is_pair()) {
      const auto device = device_buffer(static_cast<int>(b));
      if (!device.empty()) unexplained += patch(static_cast<int>(b), device);
    }
  put_summaries(static_cast<std::int64_t>(segments_) - 1);
  put_last_accesses();
  launch_ = launch;
  launch_->unexplained = info_.detail == Detail::Values ? unexplained : 0;
  put_progress();
}

std::vector<std::byte> TraceBuilder::replayed(int buffer) const {
  const auto bytes = codec_->memory().bytes(buffer);
  return {bytes.begin(), bytes.end()};
}

}  // namespace twiddle
