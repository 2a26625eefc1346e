#include "tracer/store/memory_trace.h"

#include "tracer/codec/accesses/accesses.h"
#include "tracer/store/chunks.h"

#include <utility>

namespace twiddle {

// The parts as they came; read only when nothing more comes.
class MemoryTrace::Kept final : public TraceStore, public TraceSource, public std::enable_shared_from_this<Kept> {
 public:
  void put_metadata(const TraceInfo& info) override {
    info_ = info;
    info_.launches.clear();
    info_.segments.clear();
    info_.steps = info_.barriers = 0;
  }
  void put_launch(const LaunchInfo& launch) override {
    if (info_.launches.empty() || info_.launches.back().number != launch.number) info_.launches.emplace_back();
    info_.launches.back() = launch;
  }
  void put_segment(std::size_t id, const Segment& segment) override {
    if (id >= info_.segments.size()) info_.segments.resize(id + 1);
    info_.segments[id] = segment;
  }
  void put_block(const BlockEntry& entry, std::vector<std::byte>&& data) override {
    blocks_.push_back(entry);
    blocks_.back().id = static_cast<std::int64_t>(data_.size());
    (entry.barriers ? info_.barriers : info_.steps) += entry.count;
    data_.push_back(std::move(data));
  }
  void put_content(int buffer, std::uint64_t first_byte, std::span<const std::byte> bytes) override {
    contents_.push_back({buffer, first_byte, {bytes.begin(), bytes.end()}});
  }
  void put_patch(int launch, const Patch& patch) override { patches_.emplace_back(launch, patch); }
  void put_buffers(std::span<const BufferInfo> buffers) override {
    info_.buffers.insert(info_.buffers.end(), buffers.begin(), buffers.end());
  }
  void put_sources(std::span<const SourceText> sources) override {
    info_.sources.insert(info_.sources.end(), sources.begin(), sources.end());
  }
  void put_sites(std::span<const Site> sites, std::span<const AccessSite> access_sites) override {
    info_.sites.insert(info_.sites.end(), sites.begin(), sites.end());
    info_.access_sites.insert(info_.access_sites.end(), access_sites.begin(), access_sites.end());
  }
  void put_accesses(const AccessEntry& entry, std::vector<std::byte>&& data) override {
    access_entries_.push_back(entry);
    access_entries_.back().id = static_cast<std::int64_t>(accesses_.size());
    accesses_.push_back(std::move(data));
  }
  void take_back_accesses(int launch) override {
    while (!access_entries_.empty() && access_entries_.back().launch == launch) {
      access_entries_.pop_back();
      accesses_.pop_back();
    }
  }
  void put_summary(std::int64_t segment, int buffer, const std::vector<float>& ranges) override {
    summaries_.push_back({segment, buffer, ranges});
  }
  void complete(bool yes) { info_.complete = yes; }

  std::vector<std::byte> block_bytes(const BlockEntry& entry) const override {
    return data_.at(static_cast<std::size_t>(entry.id));
  }
  void for_each_content(int buffer, const EachContent& each) const override {
    for (const Content& content : contents_)
      if (content.buffer == buffer) each(content.first_byte, content.bytes);
  }
  void for_each_patch(int launch, const std::function<void(const Patch&)>& each) const override {
    for (const auto& [number, patch] : patches_)
      if (number == launch) each(patch);
  }
  AccessLog accesses(const AccessEntry& entry) const override {
    return decode_accesses(accesses_.at(static_cast<std::size_t>(entry.id)), entry, info_,
                           AccessFormat::PredictedValues, launch_values_);
  }
  std::vector<float> summary(int segment, int buffer) const override {
    if (segment >= std::int64_t(schema::max_summarised_segments)) return {};
    for (auto one = summaries_.rbegin(); one != summaries_.rend(); ++one)
      if (one->buffer == buffer && one->segment <= segment) return one->ranges;
    return {};
  }
  std::shared_ptr<const TraceSource> another() const override { return shared_from_this(); }

 private:
  struct Content {
    int buffer;
    std::uint64_t first_byte;
    std::vector<std::byte> bytes;
  };
  struct Summary {
    std::int64_t segment;
    int buffer;
    std::vector<float> ranges;
  };
  std::vector<std::vector<std::byte>> data_;  // of blocks
  std::vector<Content> contents_;
  std::vector<std::pair<int, Patch>> patches_;    // with their launches
  std::vector<std::vector<std::byte>> accesses_;  // of access entries
  std::vector<Summary> summaries_;
  mutable LaunchValuesFinder launch_values_{*this};
};

MemoryTrace::MemoryTrace() : MemoryTrace(std::make_shared<Kept>()) {}
MemoryTrace::MemoryTrace(std::shared_ptr<Kept> kept) : TraceBuilder(*kept), kept_(std::move(kept)) {}

std::shared_ptr<const TraceSource> MemoryTrace::finish(bool complete) {
  close_segment();
  if (!complete) put_progress();
  kept_->complete(complete);
  return kept_;
}

}  // namespace twiddle
