#include "tracer/replay/memory_counts.h"

#include "tracer/cost/part_accesses.h"
#include "tracer/cost/sub_group_cost.h"
#include "tracer/replay/turns.h"

#include <algorithm>
#include <bit>
#include <map>

namespace twiddle {
namespace {

// A round with its lanes' operations.
struct Round {
  std::vector<Operation> operations;
  std::uint64_t first_item = 0;

  SubGroupAccess access(TurnAccess turn) const {
    SubGroupAccess lanes;
    for (const Operation& operation : operations)
      lanes.add(operation.item - first_item, access_in(operation, turn).index);
    return lanes;
  }
  /// Whether all it does is to load one element of global memory, where its neighbours may be of the same load.
  const BufferInfo* loads_from(const TraceInfo& info) const {
    const Operation& first = operations.front();
    const bool load = first.kind == OperationKind::Load || first.kind == OperationKind::Term;
    const BufferInfo* buffer = load && first.reads.size() == 1 ? info.buffer(first.reads[0].buffer) : nullptr;
    return buffer && buffer->space == Space::Global && !buffer->is_image() && is_contiguous(*buffer) ? buffer : nullptr;
  }
};

/// Most lanes that meet at an element, of each sector, in all.
std::uint64_t atomic_sectors(const SubGroupAccess& access, std::uint64_t element_bytes) {
  std::map<std::uint32_t, std::uint64_t> meeting;
  for (std::uint64_t lane = 0; lane < sub_group_size; ++lane)
    if (access.takes_part(lane)) ++meeting[access.element[lane]];
  std::map<std::uint64_t, std::uint64_t> most;
  for (const auto& [element, lanes] : meeting) {
    std::uint64_t& of_sector = most[element * element_bytes / sector_bytes];
    of_sector = std::max(of_sector, lanes);
  }
  std::uint64_t sum = 0;
  for (const auto& [sector, lanes] : most) sum += lanes;
  return sum;
}

void count_access(const TraceInfo& info, const Round& round, const TurnRound& turns, int turn, MemoryCounts& counts) {
  const TurnAccess which = access_of(turns, turn);
  const Access& first = access_in(round.operations.front(), which);
  const BufferInfo* buffer = info.buffer(first.buffer);
  // How an image's texels are laid out in memory is the device's own.
  if (!buffer || is_registers(*buffer) || is_exchange(*buffer) || buffer->is_image()) return;
  const bool atomic = round.operations.front().kind == OperationKind::Atomic;
  const std::uint64_t bytes = traits(first.value.type).bytes;
  const SubGroupAccess access = round.access(which);
  const MemoryCounter passes = atomic        ? MemoryCounter::PassesAtomic
                               : which.write ? MemoryCounter::PassesWritten
                                             : MemoryCounter::PassesRead;
  if (buffer->space == Space::Local && buffer->is_pair()) {
    for (const PartAccesses& part : part_accesses(*buffer, {&access, 1}))
      for (const SubGroupAccess& one : part.accesses)
        counts.of(passes) += static_cast<std::uint64_t>(bank_cost(one, bytes / 2, which.write).passes());
  } else if (buffer->space == Space::Local) {
    counts.of(passes) += static_cast<std::uint64_t>(bank_cost(access, bytes, which.write).passes());
  } else if (buffer->is_pair()) {
    for (const PartAccesses& part : part_accesses(*buffer, {&access, 1}))
      counts.of(which.write ? MemoryCounter::SectorsWritten : MemoryCounter::SectorsRead) +=
          static_cast<std::uint64_t>(sector_cost(part.accesses, bytes / 2).sectors.size());
  } else if (buffer->space == Space::Global) {
    if (atomic)
      counts.of(MemoryCounter::SectorsAtomic) += atomic_sectors(access, bytes);
    else
      counts.of(which.write ? MemoryCounter::SectorsWritten : MemoryCounter::SectorsRead) +=
          static_cast<std::uint64_t>(sector_cost({&access, 1}, bytes).sectors.size());
  }
}

void count_sub_group(Replay& replay, const SubGroupTurns& turns, MemoryCounts& counts) {
  const TraceInfo& info = replay.info();
  std::vector<Round> rounds(turns.rounds.size());
  for (std::size_t r = 0; r < rounds.size(); ++r) {
    rounds[r].first_item = turns.items.first;
    for (const std::uint64_t step : turns.rounds[r].step)
      if (step > 0) rounds[r].operations.push_back(replay.operation(step));
  }
  std::vector<bool> counted(rounds.size());
  for (std::size_t r = 0; r < rounds.size(); ++r) {
    if (counted[r] || rounds[r].operations.empty()) continue;
    // A load of 16 bytes a lane is logged by elements, with what is done with each in between.
    if (const BufferInfo* buffer = rounds[r].loads_from(info)) {
      const std::size_t bytes = traits(buffer->type).bytes, parts = parts_of_vector(bytes);
      std::vector<std::size_t> found = {r};
      for (std::size_t next = r + 1; found.size() < parts && next < rounds.size() && next < r + 2 * parts; ++next)
        if (!rounds[next].operations.empty() && rounds[next].loads_from(info) == buffer) found.push_back(next);
      std::array<SubGroupAccess, max_vector_parts> accesses;
      for (std::size_t p = 0; p < found.size(); ++p) accesses[p] = rounds[found[p]].access({0, false});
      if (found.size() == parts && parts > 1 && is_vector_load({accesses.data(), parts})) {
        counts.of(MemoryCounter::SectorsRead) +=
            static_cast<std::uint64_t>(sector_cost({accesses.data(), parts}, bytes).sectors.size());
        for (const std::size_t part : found) counted[part] = true;
        // What else they do than to load, sums of terms, is in registers.
        continue;
      }
    }
    const ShapeTraits& shape = traits(turns.rounds[r].shape);
    if (shape.reads + shape.writes == 0) continue;
    for (int turn = 1; turn <= turns.rounds[r].turns(); ++turn)
      count_access(info, rounds[r], turns.rounds[r], turn, counts);
  }
}

}  // namespace

std::string_view name_of(MemoryCounter counter) {
  constexpr std::array<std::string_view, memory_counters> names = {
      "sectors read", "sectors written", "passes read", "passes written", "passes atomic", "sectors atomic"};
  return names[static_cast<std::size_t>(counter)];
}

std::vector<MemoryCounts> count_memory(Replay& replay) {
  const TraceInfo& info = replay.info();
  std::vector<MemoryCounts> all;
  for (const LaunchInfo& launch : info.launches) all.push_back({launch.number, launch.kernel, {}});
  for (std::uint64_t step = 1; step <= info.steps;) {
    const SubGroupTurns turns = turns_at(replay, step);
    const int launch = info.segments[turns.segment].launch;
    const auto counts =
        std::find_if(all.begin(), all.end(), [&](const MemoryCounts& one) { return one.launch == launch; });
    if (counts != all.end()) count_sub_group(replay, turns, *counts);
    step = turns.last_step + 1;
  }
  return all;
}

}  // namespace twiddle
