#include "tracer/run/launch_operations.h"

#include "kernels/plan/plan.h"
#include "tracer/lift/blocks/operations.h"
#include "tracer/lift/blocks/paired_elements.h"
#include "tracer/log/block_spool.h"

#include <cstring>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace twiddle {
namespace {

std::uint64_t open_writes(const Lifted& lifted) { return lifted.writes - lifted.explained_writes; }

}  // namespace

std::vector<std::byte> content_read(const TraceInfo& info, int buffer, std::span<const AccessLog> logs) {
  const BufferInfo& of = info.buffers[static_cast<std::size_t>(buffer)];
  std::vector<std::byte> content(of.count * traits(of.type).bytes);
  for (std::size_t at = 0; at + sizeof uninitialised_pattern <= content.size(); at += sizeof uninitialised_pattern)
    std::memcpy(content.data() + at, &uninitialised_pattern, sizeof uninitialised_pattern);
  for (const AccessLog& log : logs)
    for (std::uint64_t k = 0; k < log.size(); ++k) {
      const AccessSite& site = log.sites[log.site[k]];
      if (log.buffer[k] != buffer || !is_read(site.kind) || log.offset[k] > content.size() ||
          content.size() - log.offset[k] < site.chunk)
        continue;
      std::memcpy(content.data() + log.offset[k], &log.value[k], site.chunk);
    }
  return content;
}

void number_sites(AccessLog& log, TraceInfo& info, TraceSink& sink,
                  const std::function<int(const std::string& file)>& source_named) {
  const auto key = [](const AccessSite& site) {
    return std::tie(site.kind, site.space, site.type, site.components, site.chunk, site.order, site.scope, site.source,
                    site.line, site.column, site.is_volatile, site.function, site.text, site.pc);
  };
  std::map<decltype(key(std::declval<const AccessSite&>())), std::uint32_t> known;
  for (std::size_t s = 0; s < info.access_sites.size(); ++s)
    known.emplace(key(info.access_sites[s]), static_cast<std::uint32_t>(s));
  std::vector<std::uint32_t> number(log.sites.size());
  const std::size_t before = info.access_sites.size();
  std::vector<AccessSite> added;
  added.reserve(log.sites.size());  // `known` points into it
  for (std::size_t s = 0; s < log.sites.size(); ++s) {
    AccessSite site = std::move(log.sites[s]);
    site.source = source_named(site.file);
    site.file.clear();
    added.push_back(std::move(site));
    const auto [at, fresh] = known.emplace(key(added.back()), static_cast<std::uint32_t>(before + added.size() - 1));
    number[s] = at->second;
    if (!fresh) added.pop_back();
  }
  for (std::uint32_t& site : log.site) site = number[site];
  if (!added.empty()) sink.add_sites({}, added);
  info.access_sites.insert(info.access_sites.end(), added.begin(), added.end());
  log.sites = info.access_sites;
}

void append_operations(std::span<const AccessLog> logs, LaunchInfo& launch, TraceInfo& info, TraceSink& sink,
                       const AppendBlock& append, LogKnowledge known) {
  launch.accesses.lifted = true;
  LiftOptions options;
  options.group_items = launch.group_size();
  std::optional<BlockSpool> spool;
  if (logs.size() > 1) spool.emplace();  // each has all epochs, and a trace has them in order
  for (const AccessLog& log : logs) {
    const auto from_its_values = [&] {
      return known.lifted ? *std::exchange(known.lifted, std::nullopt) : lift(log, info, options);
    };
    const auto lifted_now = [&] {
      Lifted lifted = known.probes.empty() ? from_its_values() : lift(log, known.probes, info, options);
      // On other data items may also have read what no item wrote, which nothing holds for.
      if (!known.probes.empty() && open_writes(lifted) > 0)
        if (Lifted alone = from_its_values(); open_writes(alone) <= open_writes(lifted)) return alone;
      return lifted;
    };
    Lifted lifted = lifted_now();
    if (known.told_later)
      if (const auto undecided = undecided_pairs_in(lifted, log, info, launch.number); !undecided.empty())
        if (const std::vector<BufferInfo> told = known.told_later(undecided); !told.empty()) {
          sink.add_buffers(told);
          info.buffers.insert(info.buffers.end(), told.begin(), told.end());
          lifted = lifted_now();
        }
    launch.accesses.writes += lifted.writes;
    launch.accesses.explained_writes += lifted.explained_writes;
    launch.accesses.idle_writes += lifted.idle_writes;
    LiftedBlocks blocks = operations_of(lifted, log, info, launch);
    if (!blocks.new_sites.empty()) sink.add_sites(blocks.new_sites, {});
    if (!blocks.new_buffers.empty()) sink.add_buffers(blocks.new_buffers);
    info.buffers.insert(info.buffers.end(), blocks.new_buffers.begin(), blocks.new_buffers.end());
    info.sites.insert(info.sites.end(), blocks.new_sites.begin(), blocks.new_sites.end());
    for (LiftedBlocks::Part& part : blocks.parts) {
      launch.attempted += part.block.count;
      launch.kept += part.block.count;
      if (spool)
        spool->add({part.epoch, part.block.barriers, part.stage}, part.block);
      else
        append(part.epoch, part.stage, std::move(part.block));
    }
  }
  if (spool)
    spool->drain([&](const BlockSpool::Place& place, OperationBlock&& block) {
      append(place.epoch, place.stage, std::move(block));
    });
}

}  // namespace twiddle
