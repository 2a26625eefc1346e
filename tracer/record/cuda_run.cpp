#include "tracer/record/cuda_run.h"

#include "base/error.h"
#include "base/read_file.h"
#include "tracer/record/cuda_program.h"
#include "tracer/trace/begun.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>

namespace twiddle {
namespace {

constexpr std::uint64_t items_at_once = 1 << 16;
constexpr std::uint64_t large_bytes = std::uint64_t(64) << 20;    // of larger allocations, what launches touch is kept
constexpr std::uint64_t max_part_bytes = std::uint64_t(4) << 30;  // of an allocation, kept in memory in one piece
constexpr std::size_t max_source_bytes = 4 << 20;

// The range that an address is in, of ranges by address; −1: none.
int range_with(std::span<const AccessRange> ranges, std::uint64_t address) {
  const auto after =
      std::upper_bound(ranges.begin(), ranges.end(), address,
                       [](std::uint64_t value, const AccessRange& range) { return value < range.address; });
  if (after == ranges.begin() || address - (after - 1)->address >= (after - 1)->bytes) return -1;
  return static_cast<int>(after - ranges.begin()) - 1;
}

// Of the ranges of accesses those of global memory, by address; those of shared memory are behind them.
std::span<const AccessRange> global_of(const std::vector<AccessRange>& ranges) {
  const auto end = std::partition_point(ranges.begin(), ranges.end(),
                                        [](const AccessRange& range) { return range.space == Space::Global; });
  return {ranges.begin(), end};
}

// Whole blocks: one's shared memory is of one window.
std::uint64_t window_items(const CudaLaunch& launch) {
  return std::max<std::uint64_t>(items_at_once / launch.group_size(), 1) * launch.group_size();
}

// Programs reserve gigabytes and use a little of them. Of an allocation that is large, the parts that some launch touches count
// as memory, and not the rest. Where each begins and ends is found out before the first launch is read, for parts do not grow.
class Parts {
 public:
  explicit Parts(const CudaLog& log) {
    for (std::size_t i = 0; i < log.launches().size(); ++i) {
      const std::vector<AccessRange> memory = log.memory_at(i);
      if (log.launches()[i].recorded && std::any_of(memory.begin(), memory.end(), large)) find(log, i, memory);
    }
  }

  // The memory of a launch: its allocations, or what is used of them.
  std::vector<AccessRange> of(const std::vector<AccessRange>& memory) const {
    std::vector<AccessRange> parts;
    for (const AccessRange& range : memory) {
      const auto touched = pages_.find(range.name);
      if (!large(range)) parts.push_back(range);
      if (touched == pages_.end()) continue;
      for (auto page = touched->second.begin(); page != touched->second.end();) {
        std::uint64_t first = *page, end = *page;
        for (; page != touched->second.end() && *page <= end + max_gap; ++page) end = *page + 1;
        AccessRange part = range;
        part.address += first * page_bytes;
        part.bytes = std::min(end * page_bytes, range.bytes) - first * page_bytes;
        if (first > 0) part.name += fmt::format(" from {} KiB", first * (page_bytes >> 10));
        parts.push_back(std::move(part));
      }
    }
    return parts;
  }

 private:
  static constexpr std::uint64_t page_bytes = 64 << 10, max_gap = 256;  // 16 MiB that nothing touches are left out

  static bool large(const AccessRange& range) { return range.bytes > large_bytes; }

  void find(const CudaLog& log, std::size_t launch, const std::vector<AccessRange>& memory) {
    const CudaLaunch& of = log.launches()[launch];
    std::uint64_t last = ~std::uint64_t(0);  // most accesses are near the one before
    for (std::uint64_t first = 0, step = window_items(of); first < of.items(); first += step) {
      const RawAccesses raw = log.accesses(launch, first, step, &memory);
      for (std::size_t k = 0; k < raw.site.size(); ++k) {
        const AccessSite& site = raw.sites[raw.site[k]];
        if (!touches_memory(site.kind) || site.space != Space::Global || raw.address[k] / page_bytes == last) continue;
        last = ~std::uint64_t(0);
        const int range = range_with(memory, raw.address[k]);
        if (range < 0 || !large(memory[static_cast<std::size_t>(range)])) continue;
        const AccessRange& of_access = memory[static_cast<std::size_t>(range)];
        pages_[of_access.name].insert((raw.address[k] - of_access.address) / page_bytes);
        if (of_access.address % page_bytes == 0) last = raw.address[k] / page_bytes;
      }
    }
  }

  std::map<std::string, std::set<std::uint64_t>> pages_;  // that are touched, of each large allocation
};

// What launches say of memory's content.
class Contents {
 public:
  explicit Contents(const std::vector<RecordedWindow>& windows) {
    for (const RecordedWindow& window : windows)
      each_global(window, [&](const AccessSite& site, std::size_t memory, std::uint64_t at, std::uint64_t value) {
        if (is_write(site.kind)) written_.emplace_back(memory, at, site.chunk, value);
      });
    std::sort(written_.begin(), written_.end());
  }

  // Puts what was read and no item wrote into the contents before the launch; true for each that it changed.
  std::vector<bool> complete(const std::vector<RecordedWindow>& windows,
                             std::vector<std::vector<std::byte>>& before) const {
    std::vector<bool> changed(before.size());
    for (const RecordedWindow& window : windows)
      each_global(window, [&](const AccessSite& site, std::size_t memory, std::uint64_t at, std::uint64_t value) {
        if (!is_read(site.kind) || at + site.chunk > before[memory].size()) return;
        std::uint64_t held = 0;
        for (unsigned b = 0; b < site.chunk; ++b)
          held |= std::to_integer<std::uint64_t>(before[memory][at + b]) << (8 * b);
        if (held == value || std::binary_search(written_.begin(), written_.end(),
                                                std::tuple(memory, at, std::uint64_t(site.chunk), value)))
          return;
        for (unsigned b = 0; b < site.chunk; ++b) before[memory][at + b] = static_cast<std::byte>(value >> (8 * b));
        changed[memory] = true;
      });
    return changed;
  }

 private:
  template <typename Each>
  static void each_global(const RecordedWindow& window, Each&& each) {
    const RawAccesses& raw = window.accesses;
    const std::span<const AccessRange> ranges = global_of(raw.ranges);
    for (std::size_t k = 0; k < raw.site.size(); ++k) {
      const AccessSite& site = raw.sites[raw.site[k]];
      if (!touches_memory(site.kind) || site.space != Space::Global) continue;
      const int range = range_with(ranges, raw.address[k]);
      if (range < 0 || window.memory[static_cast<std::size_t>(range)] < 0) continue;
      each(site, static_cast<std::size_t>(window.memory[static_cast<std::size_t>(range)]),
           raw.address[k] - raw.ranges[static_cast<std::size_t>(range)].address, raw.value[k]);
    }
  }

  std::vector<std::tuple<std::size_t, std::uint64_t, std::uint64_t, std::uint64_t>> written_;
};

// "load of 8 bytes, global"
std::string text_of(const AccessSite& site) {
  const char* what = site.kind == AccessKind::Barrier       ? "barrier"
                     : site.kind == AccessKind::Fence       ? "fence"
                     : site.kind == AccessKind::CopyWait    ? "waits for its copies"
                     : site.kind == AccessKind::Exchange    ? "exchange"
                     : site.kind == AccessKind::AtomicLoad  ? "atomic, reads"
                     : site.kind == AccessKind::AtomicStore ? "atomic, writes"
                     : site.kind == AccessKind::CopyLoad    ? "copy, reads"
                     : site.kind == AccessKind::CopyStore   ? "copy, writes"
                     : site.kind == AccessKind::Load        ? "load"
                                                            : "store";
  if (!touches_memory(site.kind)) return what;
  return fmt::format("{} {} bytes, {}", what, unsigned(site.chunk) * site.components,
                     site.space == Space::Local ? "shared" : "global");
}

// Gives every place a line: of its file, where that is here to be read, or of a listing of the places that have none.
class Sources {
 public:
  std::vector<SourceText> of(const CudaLaunch& launch, const CudaTexts& texts, std::vector<RecordedWindow>& windows) {
    std::vector<SourceText> sources = texts.sources;
    std::set<std::string> named;
    for (const SourceText& source : sources) {
      named.insert(source.name);
      files_[source.name] = source.text;
    }
    std::map<std::tuple<std::string, std::uint64_t, std::string>, int> listed;  // function, offset, text → line
    for (RecordedWindow& window : windows)
      for (AccessSite& site : window.accesses.sites) {
        if (site.text.empty()) site.text = text_of(site);
        if (const SourceText* source = texts.named(site.file)) site.file = source->name;
        if (site.line > 0 && !site.file.empty() && readable(site.file)) {
          if (named.insert(site.file).second) sources.push_back({site.file, files_.at(site.file)});
        } else {
          listed[{site.function, site.pc, listing_line(site)}] = 0;
        }
      }
    if (listed.empty()) return sources;
    SourceText listing{kernel_name_in(launch.kernel) + " (no source)", ""};
    int line = 0;
    std::string function;
    for (auto& [place, number] : listed) {
      if (std::get<0>(place) != function || line == 0) {
        function = std::get<0>(place);
        listing.text += function + "\n";
        ++line;
      }
      listing.text += std::get<2>(place) + "\n";
      number = ++line;
    }
    for (RecordedWindow& window : windows)
      for (AccessSite& site : window.accesses.sites) {
        if (site.line > 0 && !site.file.empty() && readable(site.file)) continue;
        site.line = listed.at({site.function, site.pc, listing_line(site)});
        site.file = listing.name;
      }
    sources.push_back(std::move(listing));
    return sources;
  }

 private:
  static std::string listing_line(const AccessSite& site) {
    const std::string at = site.line > 0 ? fmt::format("  // {}:{}", site.file, site.line) : "";
    return fmt::format("  +{:#06x}  {}{}", site.pc, site.text, at);
  }

  bool readable(const std::string& file) {
    const auto [at, fresh] = files_.try_emplace(file);
    if (fresh) try {
        at->second = read_file(file, max_source_bytes);
      } catch (const Error&) {}
    return !at->second.empty();
  }

  std::map<std::string, std::string> files_;  // by name; empty: it cannot be read
};

class Reader {
 public:
  Reader(const CudaLog& log, std::uint64_t process,
         const std::function<std::vector<std::byte>(std::uint64_t)>& replayed)
      : log_(log), process_(process), replayed_(replayed), parts_(log) {}

  RecordedLaunch launch(std::size_t index) {
    const CudaLaunch& of = log_.launches()[index];
    RecordedLaunch launch;
    launch.info.kernel = kernel_name_in(of.kernel);
    launch.info.local = of.block;
    for (std::size_t d = 0; d < 3; ++d) {
      launch.info.global[d] = of.grid[d] * of.block[d];
      if (launch.info.global[d] > 1) launch.info.dimensions = static_cast<int>(d) + 1;
    }
    launch.info.cooperative = of.cooperative;
    launch.typed_ranges = true;
    if (!of.recorded) {
      launch.reason = Message("it was not asked for, or the recorder could not log it");
      return launch;
    }
    if (!log_.has_ended(index)) {
      launch.reason = begun_reason(false);
      return launch;
    }
    if (of.items() > (std::uint64_t(1) << 32)) {
      launch.reason = Message("it has more than 2^32 threads");
      return launch;
    }
    const std::vector<AccessRange> parts = parts_.of(log_.memory_at(index));
    std::map<std::uint64_t, int> memory;  // by address
    for (std::uint64_t first = 0, step = window_items(of); first < of.items(); first += step) {
      RecordedWindow window;
      window.accesses = log_.accesses(index, first, step, &parts);
      window.accesses.lost = 0;  // counted once, for all of them
      keep_touched(window, memory, launch);
      launch.windows.push_back(std::move(window));
    }
    launch.lost = of.lost;
    if (!launch.reason.empty()) {
      launch.windows.clear();
      launch.memory.clear();
      return launch;
    }
    CudaTexts texts;
    if (of.program >= 0) texts = texts_.of(log_.programs()[static_cast<std::size_t>(of.program)]);
    describe_arguments(launch, index, cuda_arguments_of(of, launch.info.kernel, texts), memory);
    fill(launch);
    launch.sources = sources_.of(of, texts, launch.windows);
    return launch;
  }

 private:
  // `memory`: where what the launch touches is in launch.memory, by its address. What else it was given comes behind that.
  void describe_arguments(RecordedLaunch& launch, std::size_t index, const std::vector<CudaArgument>& arguments,
                          std::map<std::uint64_t, int> memory) {
    const std::vector<AccessRange> allocations = log_.memory_at(index);
    const auto is_pointer = [&](std::uint64_t word) { return range_with(allocations, word) >= 0; };
    const auto add = [&](std::string text, int number = -1) {
      launch.info.arguments.push_back(std::move(text));
      launch.argument_memory.push_back(number);
    };
    for (const CudaArgument& argument : arguments) {
      if (!argument.address) {
        const bool pointers = std::any_of(argument.words.begin(), argument.words.end(), is_pointer);
        add(pointers ? argument.name + " = pointers" : argument.text);
        continue;
      }
      add_untouched(*argument.address, argument.pointed_to, allocations, memory, launch);
      const auto after = memory.upper_bound(*argument.address);
      const auto at = after == memory.begin() ? memory.end() : std::prev(after);
      RecordedMemory* given = at == memory.end() ? nullptr : &launch.memory[static_cast<std::size_t>(at->second)];
      const std::uint64_t offset = given ? *argument.address - at->first : 0;
      if (!given || offset >= given->bytes) {
        add(argument.name + (*argument.address == 0 ? " = null" : " = elsewhere"));
        continue;
      }
      if (offset == 0) take_sign(given->type, argument.pointed_to);
      add(offset > 0 ? fmt::format(" + {}", offset) : "", at->second);
    }
    const std::uint64_t dynamic = log_.launches()[index].dynamic_bytes;
    if (!arguments.empty() && dynamic > 0) add(fmt::format("local:{}", dynamic));
  }

  // The allocation that a pointer is into, where the launch touches no part of it.
  void add_untouched(std::uint64_t address, std::optional<ElementType> type,
                     const std::vector<AccessRange>& allocations, std::map<std::uint64_t, int>& memory,
                     RecordedLaunch& launch) {
    const int range = range_with(allocations, address);
    if (range < 0) return;
    const AccessRange& whole = allocations[static_cast<std::size_t>(range)];
    const auto next = memory.lower_bound(whole.address);
    const bool touched = next != memory.end() && next->first - whole.address < whole.bytes;
    if (!touched && whole.bytes <= large_bytes) add_memory(whole, memory, launch).type = type;
  }

  // Whether whole numbers have a sign no value tells.
  static void take_sign(std::optional<ElementType>& type, std::optional<ElementType> pointed_to) {
    if (type && pointed_to && !traits(*type).floating && !traits(*pointed_to).floating &&
        traits(*type).bytes == traits(*pointed_to).bytes)
      type = pointed_to;
  }

  // Of thousands of allocations a launch touches a few.
  void keep_touched(RecordedWindow& window, std::map<std::uint64_t, int>& memory, RecordedLaunch& launch) {
    RawAccesses& raw = window.accesses;
    const std::span<const AccessRange> global = global_of(raw.ranges);
    std::vector<bool> touched(global.size());
    for (std::size_t k = 0; k < raw.site.size(); ++k) {
      const AccessSite& site = raw.sites[raw.site[k]];
      if (!touches_memory(site.kind) || site.space != Space::Global) continue;
      if (const int range = range_with(global, raw.address[k]); range >= 0)
        touched[static_cast<std::size_t>(range)] = true;
    }
    std::vector<AccessRange> kept;
    for (std::size_t r = 0; r < global.size(); ++r) {
      if (!touched[r]) continue;
      if (global[r].bytes > max_part_bytes) {
        launch.reason = Message("it uses {} bytes of an allocation, more than are kept", global[r].bytes);
        return;
      }
      if (!memory.contains(global[r].address)) add_memory(global[r], memory, launch).type = global[r].type;
      kept.push_back(global[r]);
      window.memory.push_back(memory.at(global[r].address));
    }
    for (std::size_t r = global.size(); r < raw.ranges.size(); ++r) {
      kept.push_back(raw.ranges[r]);
      window.memory.push_back(-1);
    }
    window.offset.assign(kept.size(), 0);
    raw.ranges = std::move(kept);
  }

  RecordedMemory& add_memory(const AccessRange& range, std::map<std::uint64_t, int>& memory, RecordedLaunch& launch) {
    memory[range.address] = static_cast<int>(launch.memory.size());
    RecordedMemory& one = launch.memory.emplace_back();
    one.id = id_of(range.name);
    one.name = range.name;
    std::replace(one.name.begin(), one.name.end(), ' ', '_');
    one.bytes = range.bytes;
    return one;
  }

  // The content of its memory at its start, where that is new.
  void fill(RecordedLaunch& launch) {
    std::vector<std::vector<std::byte>> before;
    std::vector<bool> fresh;
    for (const RecordedMemory& memory : launch.memory) {
      before.push_back(replayed_(memory.id));
      fresh.push_back(before.back().empty());
      before.back().resize(memory.bytes);
    }
    // Logged without values, reads say nothing.
    const std::vector<bool> changed = Contents(launch.windows).complete(launch.windows, before);
    for (std::size_t m = 0; m < launch.memory.size(); ++m)
      if (fresh[m] || changed[m]) launch.memory[m].before = std::move(before[m]);
  }

  // Apart from the ids of OpenCL's memory, which begin with a process's number.
  std::uint64_t id_of(const std::string& name) {
    const auto number = ids_.emplace(name, ids_.size()).first->second;
    return std::uint64_t(1) << 63 | process_ << 40 | number;
  }

  const CudaLog& log_;
  std::uint64_t process_;
  const std::function<std::vector<std::byte>(std::uint64_t)>& replayed_;
  const Parts parts_;
  std::map<std::string, std::uint64_t> ids_;
  CudaTextsOf texts_;
  Sources sources_;
};

}  // namespace

std::string kernel_name_in(const std::string& demangled) {
  // The parameters begin at the last bracket that is open at the end; return types and scopes come before a name.
  std::size_t end = demangled.size();
  if (end > 0 && demangled.back() == ')') {
    int depth = 0;
    for (std::size_t i = demangled.size(); i-- > 0;) {
      depth += (demangled[i] == ')') - (demangled[i] == '(');
      if (depth == 0) {
        end = i;
        break;
      }
    }
  }
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i < end; ++i) {
    const char c = demangled[i];
    depth += (c == '<' || c == '(') - (c == '>' || c == ')');
    if (depth == 0 && (c == ' ' || c == ':')) begin = i + 1;
  }
  return begin < end ? demangled.substr(begin, end - begin) : demangled;
}

void read_cuda_launches(const CudaLog& log, std::uint64_t process,
                        const std::function<std::vector<std::byte>(std::uint64_t id)>& replayed,
                        const std::function<void(RecordedLaunch&&)>& take) {
  Reader reader(log, process, replayed);
  for (std::size_t i = 0; i < log.launches().size(); ++i) take(reader.launch(i));
}

}  // namespace twiddle
