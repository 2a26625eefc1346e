#include "tracer/record/recorded_run.h"

#include "base/error.h"
#include "tracer/file/trace_schema.h"
#include "tracer/lift/lift.h"
#include "tracer/run/launch_operations.h"
#include "tracer/trace/begun.h"
#include "tracer/trace/operation.h"
#include "tracer/trace/outside.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace twiddle {
namespace {

constexpr std::size_t max_buffers = 60000;  // a trace file takes some more
constexpr std::uint64_t max_elements = std::uint64_t(1) << 32;

// Pads to whole elements.
std::vector<std::byte> whole_elements(std::vector<std::byte> bytes, const BufferInfo& buffer) {
  bytes.resize(buffer.count * traits(buffer.type).bytes);
  return bytes;
}

void set_type(BufferInfo& buffer, ElementType type, std::uint64_t bytes) {
  buffer.type = type;
  buffer.count = (bytes + traits(type).bytes - 1) / traits(type).bytes;
  buffer.shape = {buffer.count};
}

// The element that a statement accesses: pairs count as one, and several pairs at once where the pointer that the kernel was given
// is to pairs.
ElementType element_of(const AccessSite& site, std::optional<ElementType> pointed_to) {
  const auto pair = [&] {
    switch (site.type) {
      case ElementType::Int: return ElementType::Int2;
      case ElementType::UInt: return ElementType::UInt2;
      case ElementType::Float: return ElementType::Float2;
      case ElementType::Double: return ElementType::Double2;
      default: return site.type;
    }
  }();
  return site.components == 2 || (site.components > 3 && pointed_to == pair) ? pair : site.type;
}

}  // namespace

RecordedRun::RecordedRun(const TraceInfo& info, TraceSink& sink, const RecordOptions& options)
    : info_(info), sink_(sink), options_(options) {
  sink_.begin(info_);
}

void RecordedRun::add(RecordedLaunch&& launch) {
  if (info_.launches.size() >= schema::max_launches) {
    ++totals_.launches;
    ++totals_.plain;
    ++totals_.reasons["a trace holds no more launches"];
    return;
  }
  Prepared prepared;
  const std::size_t expected = info_.buffers.size() + launch.memory.size() + 64 * launch.windows.size();
  const bool too_large = std::any_of(launch.memory.begin(), launch.memory.end(),
                                     [](const RecordedMemory& one) { return one.bytes / 4 >= max_elements; });
  if (expected > max_buffers || too_large) {
    launch.reason = Message("a trace has no room for more buffers, or for one so large");
    launch.windows.clear();
    launch.memory.clear();
  }
  note_changes(launch);
  const std::size_t added_from = info_.buffers.size();
  prepared.memory = number_memory(launch);
  for (std::size_t a = 0; a < launch.argument_memory.size(); ++a)
    if (const int memory = launch.argument_memory[a]; memory >= 0 && !prepared.memory.empty())
      launch.info.arguments.at(a).insert(0, info_.buffers[prepared.memory.at(static_cast<std::size_t>(memory))].name);
  launch.info.source = source_of(launch.sources);
  resolve_windows(launch, prepared);
  if (!launch.typed_ranges) choose_types(launch, prepared, added_from);
  tell_sink_of(launch, added_from);
  write(launch, prepared);
}

std::vector<std::byte> RecordedRun::replayed(std::uint64_t memory_id) const {
  const auto at = buffers_.find(memory_id);
  return at == buffers_.end() ? std::vector<std::byte>() : sink_.replayed(at->second);
}

int RecordedRun::source_of(const std::vector<SourceText>& sources) {
  int own = 0;
  for (std::size_t s = 0; s < sources.size(); ++s) {
    const auto [at, fresh] =
        sources_.emplace(std::pair(sources[s].name, sources[s].text), static_cast<int>(info_.sources.size()));
    if (fresh) {
      info_.sources.push_back(sources[s]);
      sink_.add_sources({&sources[s], 1});
    }
    if (s == 0) own = at->second;
  }
  return own;
}

std::string RecordedRun::unused_name(const std::string& wanted) {
  const std::string name = wanted.empty() ? "memory" : wanted;
  const int times = ++names_[name];
  return times == 1 ? name : name + "_" + std::to_string(times);
}

std::vector<int> RecordedRun::number_memory(const RecordedLaunch& launch) {
  std::vector<int> numbers;
  for (const RecordedMemory& memory : launch.memory) {
    const auto [at, fresh] = buffers_.emplace(memory.id, static_cast<int>(info_.buffers.size()));
    if (fresh) {
      BufferInfo buffer;
      buffer.name = unused_name(memory.name);
      set_type(buffer, memory.type.value_or(ElementType::Int), memory.bytes);
      info_.buffers.push_back(std::move(buffer));
    }
    numbers.push_back(at->second);
  }
  return numbers;
}

// A kernel's own array or constant, of this launch.
int RecordedRun::variable(const AccessRange& range, std::size_t first_variable) {
  const int number = static_cast<int>(info_.launches.size()) + 1;
  for (std::size_t b = first_variable; b < info_.buffers.size(); ++b) {
    BufferInfo& known = info_.buffers[b];
    if (known.launch != number || known.name != range.name || known.space != range.space) continue;
    if (range.bytes > known.count * traits(known.type).bytes) set_type(known, known.type, range.bytes);
    return static_cast<int>(b);
  }
  BufferInfo buffer;
  buffer.name = range.name.empty() ? "array" : range.name;
  set_type(buffer, range.type, range.bytes);
  buffer.space = range.space;
  buffer.initialised = range.initialised;
  buffer.launch = number;
  info_.buffers.push_back(std::move(buffer));
  return static_cast<int>(info_.buffers.size()) - 1;
}

void RecordedRun::resolve_windows(RecordedLaunch& launch, Prepared& prepared) {
  AccessTotals& totals = launch.info.accesses;
  totals = {};
  totals.reason = launch.reason;
  totals.logged = !launch.windows.empty();
  totals.lost = launch.lost;
  prepared.first_variable = info_.buffers.size();
  for (RecordedWindow& window : launch.windows) {
    if (totals.unlogged.empty()) totals.unlogged = window.accesses.unlogged;
    totals.lost += window.accesses.lost;
    AccessLog log = resolved(launch, std::move(window), prepared);
    if (totals.keep(log, options_.max_accesses)) prepared.logs.push_back(std::move(log));
  }
}

AccessLog RecordedRun::resolved(const RecordedLaunch& launch, RecordedWindow&& window, const Prepared& prepared) {
  std::vector<int> buffers;
  for (std::size_t r = 0; r < window.accesses.ranges.size(); ++r) {
    AccessRange& range = window.accesses.ranges[r];
    const int memory = window.memory.at(r);
    if (memory < 0) {
      buffers.push_back(variable(range, prepared.first_variable));
      continue;
    }
    // Offsets count from the start of the whole memory, of which an argument may be a part.
    range.address -= window.offset.at(r);
    range.bytes = launch.memory.at(static_cast<std::size_t>(memory)).bytes;
    buffers.push_back(prepared.memory.at(static_cast<std::size_t>(memory)));
  }
  return resolve(std::move(window.accesses), launch.info.group_size(), buffers);
}

// Where the values of some groups do not tell all that they did, or always: accesses of the same items on other data.
LogKnowledge RecordedRun::probes_of(const RecordedLaunch& launch, const Prepared& prepared) {
  WantedProbes wanted =
      wanted_probes(prepared.logs.front(), info_, launch.info.group_size(), launch.probes > 0 ? launch.probes : -1,
                    prepared.memory, [&](int buffer) { return sink_.replayed(buffer); });
  LogKnowledge known;
  known.lifted = std::move(wanted.lifted);
  for (RecordedWindow& window : launch.probe(wanted)) {
    const bool same_memory = std::all_of(window.memory.begin(), window.memory.end(),
                                         [&](int memory) { return memory < std::ssize(prepared.memory); });
    if (same_memory) known.probes.push_back(resolved(launch, std::move(window), prepared));
  }
  totals_.probed += !known.probes.empty();
  totals_.probes += known.probes.size();
  return known;
}

// Memory has no type of its own: what most accesses of the first launch that touches it take it for.
void RecordedRun::choose_types(const RecordedLaunch& launch, const Prepared& prepared, std::size_t added_from) {
  std::vector<std::array<std::uint64_t, element_type_count>> votes(info_.buffers.size() - added_from);
  std::vector<std::optional<ElementType>> pointed_to(votes.size());
  for (std::size_t m = 0; m < prepared.memory.size(); ++m)
    if (const auto b = static_cast<std::size_t>(prepared.memory[m]); b >= added_from)
      pointed_to[b - added_from] = launch.memory[m].pointed_to;
  for (const AccessLog& log : prepared.logs)
    for (std::uint64_t k = 0; k < log.size(); ++k) {
      const AccessSite& site = log.sites[log.site[k]];
      if (log.buffer[k] < static_cast<std::int64_t>(added_from) || !touches_memory(site.kind)) continue;
      const std::size_t v = static_cast<std::size_t>(log.buffer[k]) - added_from;
      ++votes[v][static_cast<std::size_t>(element_of(site, pointed_to[v]))];
    }
  for (std::size_t v = 0; v < votes.size(); ++v) {
    BufferInfo& buffer = info_.buffers[added_from + v];
    const auto most = std::max_element(votes[v].begin(), votes[v].end());
    if (*most == 0) continue;
    const auto type = static_cast<ElementType>(most - votes[v].begin());
    if (type != buffer.type) set_type(buffer, type, buffer.count * traits(buffer.type).bytes);
  }
}

void RecordedRun::tell_sink_of(const RecordedLaunch& launch, std::size_t added_from) {
  if (added_from == info_.buffers.size()) return;
  sink_.add_buffers(std::span(info_.buffers).subspan(added_from));
  for (const RecordedMemory& memory : launch.memory) {
    const auto b = static_cast<std::size_t>(buffers_.at(memory.id));
    if (b >= added_from && memory.before)
      sink_.first_content(static_cast<int>(b), whole_elements(*memory.before, info_.buffers[b]));
  }
}

// What the host, or a kernel that was not seen, did to memory between launches: a launch of its own, without operations.
void RecordedRun::note_changes(const RecordedLaunch& launch) {
  std::map<int, std::vector<std::byte>> contents;
  for (const RecordedMemory& memory : launch.memory) {
    const auto known = buffers_.find(memory.id);
    if (!memory.before || known == buffers_.end()) continue;
    std::vector<std::byte> content = whole_elements(*memory.before, info_.buffers[known->second]);
    if (sink_.replayed(known->second) != content) contents[known->second] = std::move(content);
  }
  if (contents.empty()) return;
  totals_.outside += contents.size();
  LaunchInfo outside;
  outside.number = static_cast<int>(info_.launches.size()) + 1;
  outside.kernel = outside_kernel;
  outside.label = outside_label;
  outside.accesses.reason = Message("the host, or what was not recorded, changed memory between launches");
  for (const auto& [buffer, content] : contents) outside.arguments.push_back(info_.buffers[buffer].name);
  sink_.begin_launch(outside);
  sink_.end_launch(outside, [&](int buffer) -> std::span<const std::byte> {
    const auto found = contents.find(buffer);
    return found == contents.end() ? std::span<const std::byte>() : found->second;
  });
  info_.launches.push_back(std::move(outside));
}

// Lifting takes long: what comes before it is not lost with it.
void RecordedRun::hold_accesses(const LaunchInfo& launch, std::vector<AccessLog>& logs) {
  std::vector<std::vector<std::uint64_t>> values(logs.size());
  for (std::size_t l = 0; l < logs.size(); ++l) {
    if (info_.detail == Detail::Index) values[l].assign(logs[l].size(), 0), values[l].swap(logs[l].value);
    sink_.accesses(logs[l]);
  }
  sink_.hold_accesses(launch);
  if (info_.detail == Detail::Index)
    for (std::size_t l = 0; l < logs.size(); ++l) logs[l].value = std::move(values[l]);
}

void RecordedRun::write(RecordedLaunch& launch, Prepared& prepared) {
  LaunchInfo& info = launch.info;
  info.number = static_cast<int>(info_.launches.size()) + 1;
  info.accesses.lifted = options_.lift;
  sink_.begin_launch(info);
  const auto source_named = [&](const std::string& file) {
    for (std::size_t s = 0; !file.empty() && s < launch.sources.size(); ++s)
      if (launch.sources[s].name == file) return sources_.at({launch.sources[s].name, launch.sources[s].text});
    return info.source;
  };
  for (AccessLog& log : prepared.logs) number_sites(log, info_, sink_, source_named);
  hold_accesses(info, prepared.logs);
  for (std::size_t b = prepared.first_variable; b < info_.buffers.size(); ++b)
    if (info_.buffers[b].launch == info.number && info_.buffers[b].space == Space::Constant)
      sink_.first_content(static_cast<int>(b), content_read(info_, static_cast<int>(b), prepared.logs));
  LogKnowledge known;
  if (options_.lift && launch.probe && prepared.logs.size() == 1) known = probes_of(launch, prepared);
  const auto append = [&](int epoch, int stage, OperationBlock&& block) {
    for (SiteColumns& columns : block.sites) {
      if (info_.detail == Detail::Index) columns.reads.clear(), columns.writes.clear();
      const OperationKind kind = traits(columns.shape).kind;
      if (kind != OperationKind::Load && kind != OperationKind::Store && kind != OperationKind::Barrier)
        totals_.operations[kind] += columns.count;
    }
    sink_.append(epoch, stage, std::move(block));
  };
  for (AccessLog& probe : known.probes) number_sites(probe, info_, sink_, source_named);
  if (options_.lift) append_operations(prepared.logs, info, info_, sink_, append, std::move(known));

  // Values served to find the operations.
  if (info_.detail == Detail::Index)
    for (AccessLog& log : prepared.logs) std::fill(log.value.begin(), log.value.end(), 0);
  std::map<int, std::span<const std::byte>> after;
  std::vector<std::vector<std::byte>> held;
  for (std::size_t m = 0; m < launch.memory.size(); ++m)
    if (launch.memory[m].after) {
      held.push_back(whole_elements(std::move(*launch.memory[m].after), info_.buffers[prepared.memory[m]]));
      after[prepared.memory[m]] = held.back();
    }
  sink_.end_launch(info, [&](int buffer) {
    const auto found = after.find(buffer);
    return found == after.end() ? std::span<const std::byte>() : found->second;
  });

  const AccessTotals& accesses = info.accesses;
  ++totals_.launches;
  if (!has_ended(info)) {
    ++totals_.begun;
  } else if (!accesses.logged) {
    ++totals_.plain;
    ++totals_.reasons[accesses.reason.english()];
  }
  totals_.accesses += accesses.kept;
  totals_.lost += accesses.lost;
  totals_.writes += accesses.writes;
  totals_.explained += accesses.explained_writes;
  totals_.idle += accesses.idle_writes;
  totals_.unresolved += accesses.unresolved;
  std::set<std::string> unlogged;  // of many places, the same
  for (const Unlogged& one : accesses.unlogged) unlogged.insert(one.what.english());
  for (const std::string& what : unlogged) ++totals_.unlogged[what];
  info_.launches.push_back(std::move(info));
}

}  // namespace twiddle
