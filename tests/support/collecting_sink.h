// A TraceSink that keeps everything in memory and replays the writes, for tests of the tracer without a file.
#pragma once

#include "kernels/catalogue/catalogue.h"
#include "tracer/runtimes/open_runtime.h"
#include "tracer/trace/memory/replay_memory.h"
#include "tracer/trace/trace_sink.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace twiddle {

class CollectingSink final : public TraceSink {
 public:
  TraceInfo info;
  std::vector<Operation> operations;  // in step order, barriers between them
  std::vector<OperationBlock> blocks;
  std::vector<std::vector<std::byte>> buffers;  // the plan's, as replayed
  std::vector<LaunchInfo> ended;
  std::vector<std::pair<int, AccessLog>> logs;  // with their launches
  std::uint64_t inconsistent_reads = 0;         // of global buffers
  std::uint64_t unexplained = 0;                // bytes in which the device differs after a launch

  void begin(const TraceInfo& about) override {
    info = about;
    buffers.resize(info.buffers.size());
  }
  void first_content(int buffer, std::span<const std::byte> bytes) override {
    buffers[buffer].assign(bytes.begin(), bytes.end());
  }
  void begin_launch(const LaunchInfo& launch) override {
    launch_ = launch.number;
    info.segments.push_back({});  // so that an epoch that starts with a barrier has one
    info.segments.back().launch = launch_;
    fresh_ = true;
  }
  void add_sites(std::span<const Site> sites, std::span<const AccessSite> access_sites) override {
    info.sites.insert(info.sites.end(), sites.begin(), sites.end());
    info.access_sites.insert(info.access_sites.end(), access_sites.begin(), access_sites.end());
  }
  void accesses(const AccessLog& log) override {
    logs.emplace_back(launch_, log);
    logs.back().second.sites = info.access_sites;
  }
  void append(int epoch, int stage, OperationBlock&& block) override {
    Segment& last = info.segments.back();
    if (!block.barriers && (fresh_ || last.epoch != epoch || last.stage != stage)) {
      Segment segment;
      segment.launch = launch_;
      segment.epoch = epoch;
      segment.stage = stage;
      segment.first_step = block.first_step;
      info.segments.push_back(segment);
      fresh_ = false;
    }
    block.segment = info.segments.size() - 1;
    info.segments.back().count += block.barriers ? 0 : block.count;
    for (std::uint32_t i = 0; i < block.count; ++i) apply(block.operation(info, i));
    blocks.push_back(std::move(block));
  }
  void end_launch(const LaunchInfo& launch, const DeviceBuffer& device_buffer) override {
    ended.push_back(launch);
    if (!device_buffer) return;
    for (std::size_t b = 0; b < buffers.size(); ++b) {
      if (info.buffers[b].launch != 0) continue;
      const std::span<const std::byte> device = device_buffer(static_cast<int>(b));
      for (std::size_t i = 0; i < device.size(); ++i) unexplained += device[i] != buffers[b][i];
      buffers[b].assign(device.begin(), device.end());
    }
  }
  std::vector<std::byte> replayed(int buffer) const override { return buffers[buffer]; }

 private:
  void apply(const Operation& operation) {
    operations.push_back(operation);
    if (operation.shape == Shape::Atomic && add(operation)) return;
    for (const Access& read : operation.reads) {
      const std::byte* at = element(read);
      if (at && read.known && std::memcmp(at, read.value.bits.data(), read.value.bytes().size()) != 0)
        ++inconsistent_reads;
    }
    for (const Access& write : operation.writes) {
      std::byte* at = element(write);
      if (at && write.known) std::memcpy(at, write.value.bits.data(), write.value.bytes().size());
    }
  }
  // Items of other groups may have met at the element in another order than the log's, so what an atomic read is not compared;
  // in any order the operands add up to the same.
  bool add(const Operation& operation) {
    if (operation.coefficients.empty() || operation.coefficients[0].type != operation.writes[0].value.type)
      return false;
    std::byte* at = element(operation.writes[0]);
    if (at) add_element(operation.writes[0].value.type, at, operation.coefficients[0].bits.data());
    return true;
  }
  std::byte* element(const Access& access) {
    if (access.buffer < 0 || info.buffers[access.buffer].launch != 0) return nullptr;
    std::vector<std::byte>& buffer = buffers[access.buffer];
    const std::size_t bytes = traits(info.buffers[access.buffer].type).bytes;
    return (access.index + 1) * bytes <= buffer.size() ? buffer.data() + access.index * bytes : nullptr;
  }

  int launch_ = 0;
  bool fresh_ = true;
};

// ---- What several of these tests use ----

inline std::unique_ptr<Runtime> any_device() { return open_runtime("opencl", 0); }

inline Plan plan_of(const std::string& algorithm, std::uint64_t n, bool inverse = false) {
  Request request;
  request.algorithm = algorithm;
  request.n = n;
  request.inverse = inverse;
  return make_plan(request);
}

inline auto order_of(const Operation& op) { return std::tuple(op.launch, op.epoch, op.stage, op.item, op.slot); }

inline bool all_buffers_known(const CollectingSink& sink) {
  for (const Operation& op : sink.operations)
    for (const auto* accesses : {&op.reads, &op.writes})
      for (const Access& access : *accesses)
        if (access.buffer < 0) return false;
  return true;
}

inline bool same_operations(const CollectingSink& a, const CollectingSink& b) {
  return std::equal(
      a.operations.begin(), a.operations.end(), b.operations.begin(), b.operations.end(),
      [](const Operation& x, const Operation& y) {
        const auto same = [](const auto& one, const auto& other) {
          return std::equal(one.begin(), one.end(), other.begin(), other.end(), [](const Access& p, const Access& q) {
            return p.buffer == q.buffer && p.index == q.index && p.known == q.known && p.value == q.value;
          });
        };
        return x.step == y.step && order_of(x) == order_of(y) && x.line == y.line && x.kind == y.kind &&
               same(x.reads, y.reads) && same(x.writes, y.writes);
      });
}

}  // namespace twiddle
