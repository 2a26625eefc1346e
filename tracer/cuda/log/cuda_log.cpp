#include "tracer/cuda/log/cuda_log.h"

#include "base/error.h"
#include "base/read_file.h"
#include "base/text.h"
#include "tracer/cuda/log/cubin.h"
#include "tracer/cuda/log/cuda_accesses.h"
#include "tracer/cuda/log/cuda_records.h"
#include "tracer/cuda/ptx/ptx.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <sstream>

namespace twiddle {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr std::uintmax_t max_event_bytes = std::uintmax_t(1) << 30, max_cubin_bytes = std::uintmax_t(1) << 30;
constexpr std::uintmax_t max_program_bytes = std::uintmax_t(64) << 20;  // of a text with its headers
constexpr std::size_t max_launches = 10'000'000, max_programs = 100'000;
constexpr std::uint64_t max_items = std::uint64_t(1) << 48, max_items_at_once = std::uint64_t(1) << 28;

[[noreturn]] void damaged_events() { throw unreadable("The events of a recorded CUDA program are damaged"); }

// A whole number of an event; `missing` where it has none.
std::uint64_t whole(const Json& event, const char* name, std::uint64_t missing = 0) {
  const auto at = event.find(name);
  if (at == event.end()) return missing;
  if (!at->is_number_unsigned()) damaged_events();
  return at->get<std::uint64_t>();
}
int small_whole(const Json& event, const char* name, int min, int max) {
  const std::uint64_t value = whole(event, name, static_cast<std::uint64_t>(min));
  if (value < static_cast<std::uint64_t>(min) || value > static_cast<std::uint64_t>(max)) damaged_events();
  return static_cast<int>(value);
}
std::string text(const Json& event, const char* name) {
  const auto at = event.find(name);
  if (at == event.end()) return "";
  if (!at->is_string()) damaged_events();
  return at->get<std::string>();
}
std::array<std::size_t, 3> three(const Json& event, const char* name, std::size_t min) {
  std::array<std::size_t, 3> values{};
  const auto at = event.find(name);
  if (at == event.end() || !at->is_array() || at->size() != 3) damaged_events();
  for (std::size_t i = 0; i < 3; ++i) {
    if (!(*at)[i].is_number_unsigned()) damaged_events();
    values[i] = (*at)[i].get<std::size_t>();
    if (values[i] < min || values[i] > 0x7fffffff) damaged_events();
  }
  return values;
}
// A file of the recording's folder, and of no other.
std::string file_name(const Json& event) {
  std::string file = text(event, "file");
  if (file.find('/') != std::string::npos) damaged_events();
  return file;
}

bool flag(const Json& event, const char* name, bool missing) {
  const auto at = event.find(name);
  return at == event.end() ? missing : at->is_boolean() ? at->get<bool>() : missing;
}

}  // namespace

struct CudaLog::Contents {
  struct Module {
    std::string file;
    std::vector<CudaPlace> functions;
    std::optional<Cubin> cubin;  // once it is needed
    std::size_t programs = 0;    // how many were compiled before it was loaded
    int program = -1;            // index of the one that it is of, where the recorder knows
  };
  struct Change {  // of device memory, in the order of the program's calls
    std::size_t before_launch;
    bool freed;
    AccessRange range;
  };

  fs::path folder;
  std::vector<CudaLaunch> launches;
  std::vector<int> launch_log, launch_module;
  std::vector<bool> ended;                             // of each launch: what it logged was fetched
  std::vector<std::map<int, std::uint64_t>> unlogged;  // of each launch, by instruction
  std::vector<Change> changes;
  std::map<int, Module> modules;
  std::vector<CudaProgram> programs;
  std::vector<CudaDrain> drains;
  std::map<std::pair<int, std::uint16_t>, std::set<int>> launch_of;
  std::vector<std::string> failures;
  std::string unavailable;
  int files = 1;
  bool complete = false;
  std::optional<CudaRecords> records;

  std::uint64_t events_read = 0;  // bytes of their file
  bool begun = false;
  std::size_t launches_read = 0;

  Error unknown() const {
    return unreadable("{} is no recording of a CUDA program that this Twiddle knows", folder.string());
  }

  // The events that follow those read before.
  void read_events(const std::string& added) {
    std::istringstream lines(added);
    for (std::string line; std::getline(lines, line);) {
      const bool cut = lines.eof();           // still being written, or the program was killed while it wrote this
      if (line.empty() && events_read > 0) {  // the end of a line whose rest was read before
        ++events_read;
        continue;
      }
      const Json event = Json::parse(line, nullptr, false);
      if (event.is_discarded() && cut) break;
      if (!event.is_object()) damaged_events();
      events_read += line.size() + (cut ? 0 : 1);
      if (begun) {
        read_event(event);
        continue;
      }
      if (text(event, "twiddle") != "cuda" || whole(event, "version") != twiddle_cuda::format_version) throw unknown();
      files = small_whole(event, "files", 1, 64);
      begun = true;
    }
    if (!begun) return;
    // Drains are noted when they are written, which is not always in their order.
    std::sort(drains.begin(), drains.end(), [](const CudaDrain& a, const CudaDrain& b) { return a.offset < b.offset; });
    for (; launches_read < launches.size(); ++launches_read) {
      CudaLaunch& launch = launches[launches_read];
      const auto& functions = *module_of(launches_read).cubin;
      if (const auto at = functions.find(launch.mangled); at != functions.end())
        launch.shared_bytes = at->second.shared_bytes;
      launch.program = program_of(launches_read);
    }
    find_ended();
    records.emplace(folder, files, drains, launch_of);
  }

  // Launches up to a drain's last have ended, unless it may have been another drain that held them: bytes are missing before it.
  void find_ended() {
    ended.resize(launches.size());
    std::map<int, std::vector<std::size_t>> waiting;  // launches of each log
    for (std::size_t l = 0; l < launches.size(); ++l) waiting[launch_log[l]].push_back(l);
    std::map<int, std::size_t> next;  // of those
    std::set<int> whole;              // logs that had a drain since bytes were missing last
    std::uint64_t end = 0;
    bool missing = false;
    for (const CudaDrain& drain : drains) {
      if (drain.offset > end) whole.clear(), missing = true;
      end = std::max(end, drain.offset + drain.bytes);
      const bool sure = !missing || !whole.insert(drain.log).second;
      const std::vector<std::size_t>& of_log = waiting[drain.log];
      for (std::size_t& at = next[drain.log]; at < of_log.size() && launches[of_log[at]].number <= drain.last_launch;
           ++at)
        ended[of_log[at]] = ended[of_log[at]] || sure;
    }
  }

  void read_event(const Json& event) {
    if (event.contains("launch")) return read_launch(event);
    if (event.contains("alloc") || event.contains("free")) return read_memory(event);
    if (event.contains("module") && event.contains("file")) {
      Module& module = modules[small_whole(event, "module", 1, 1 << 24)];
      module.file = file_name(event);
      module.programs = programs.size();
      module.program = small_whole(event, "program", 0, max_programs) - 1;
    } else if (event.contains("program")) {
      read_program(file_name(event));
    } else if (event.contains("function")) {
      modules[small_whole(event, "module", 0, 1 << 24)].functions.push_back(
          {whole(event, "pc"), whole(event, "bytes"), text(event, "function")});
    } else if (event.contains("drain")) {
      drains.push_back({small_whole(event, "drain", 0, max_launches), small_whole(event, "log", 0, 1 << 24),
                        whole(event, "offset"), whole(event, "bytes")});
    } else if (event.contains("counts")) {
      read_counts(event);
    } else if (event.contains("failed")) {
      failures.push_back(text(event, "failed"));
    } else if (event.contains("unavailable")) {
      unavailable = text(event, "unavailable");
    } else if (event.contains("end")) {
      complete = true;
    }
  }

  void read_launch(const Json& event) {
    if (launches.size() >= max_launches || whole(event, "launch") != launches.size() + 1) damaged_events();
    CudaLaunch launch;
    launch.number = static_cast<int>(launches.size() + 1);
    launch.mangled = text(event, "kernel");
    launch.kernel = demangled(launch.mangled);
    launch.grid = three(event, "grid", 1);
    launch.block = three(event, "block", 1);
    launch.cluster = three(event, "cluster", 0);
    // Each is below 2^31, so that products of two do not overflow.
    std::uint64_t items = launch.grid[0] * launch.grid[1];
    for (const std::size_t factor : {launch.grid[2], launch.block[0], launch.block[1], launch.block[2]}) {
      if (items > max_items / factor) damaged_events();
      items *= factor;
    }
    launch.device = small_whole(event, "device", 0, 1 << 16);
    launch.stream = whole(event, "stream");
    launch.graph = flag(event, "graph", false);
    launch.recorded = flag(event, "recorded", true);
    launch.dynamic_bytes = whole(event, "shared");
    launch.cooperative = flag(event, "cooperative", false);
    if (const auto arguments = event.find("arguments"); arguments != event.end() && arguments->is_array()) {
      launch.arguments.emplace();
      for (const Json& one : *arguments) {
        auto bytes = one.is_string() ? bytes_in_hex(one.get<std::string>()) : std::nullopt;
        if (!bytes) damaged_events();
        launch.arguments->push_back(std::move(*bytes));
      }
    }
    const int log = small_whole(event, "log", 0, 1 << 24);
    launch_of[{log, static_cast<std::uint16_t>(whole(event, "grid_id"))}].insert(launch.number);
    launch_log.push_back(log);
    launch_module.push_back(small_whole(event, "module", 0, 1 << 24));
    unlogged.emplace_back();
    launches.push_back(std::move(launch));
  }

  // A text that cannot be read is one that is not known.
  void read_program(const std::string& file) {
    if (programs.size() >= max_programs) return;
    CudaProgram& program = programs.emplace_back();
    try {
      const Json content = Json::parse(read_file(folder / (file + ".json"), max_program_bytes), nullptr, false);
      if (!content.is_object()) return;
      CudaProgram read{text(content, "name"), text(content, "text"), {}, {}, {}};
      read.image = read_file(folder / (file + ".image"), max_cubin_bytes);
      for (const Json& one : content.value("options", Json::array())) read.options.push_back(one.get<std::string>());
      for (const Json& one : content.value("headers", Json::array()))
        read.headers.emplace_back(one.at(0).get<std::string>(), one.at(1).get<std::string>());
      program = std::move(read);
    } catch (const Error&) {
    } catch (const Json::exception&) {}
  }

  // What the kernel of a launch was compiled from: the last program whose machine code was loaded as it is, or the only one that
  // has the kernel, where the driver compiled it further; −1: none, or it is not sure which.
  int program_of(std::size_t launch) {
    const int number = launch_module[launch];
    const auto at = modules.find(number);
    if (at == modules.end() || at->second.programs == 0) return -1;
    const auto [known, fresh] = program_by_kernel_.try_emplace({number, launches[launch].mangled}, -1);
    if (fresh) known->second = find_program(at->second, launches[launch].mangled);
    return known->second;
  }

  int find_program(const Module& module, const std::string& kernel) const {
    if (module.program >= 0 && module.program < static_cast<int>(programs.size())) return module.program;
    std::string loaded;
    try {
      if (!module.file.empty()) loaded = read_file(folder / module.file, max_cubin_bytes);
    } catch (const Error&) {}
    for (std::size_t p = module.programs; p-- > 0;)
      if (!loaded.empty() && programs[p].image == loaded) return static_cast<int>(p);
    int found = -1;
    for (std::size_t p = module.programs; p-- > 0;) {
      const CudaProgram& program = programs[p];
      const bool has_kernel = program.image.starts_with(
                                  "\x7f"
                                  "ELF")
                                  ? program.image.find(".nv.info." + kernel + '\0') != std::string::npos
                                  : cuda::has_kernel(program.image, kernel);
      if (!has_kernel || (found >= 0 && programs[static_cast<std::size_t>(found)] == program)) continue;
      if (found >= 0) return -1;
      found = static_cast<int>(p);
    }
    return found;
  }

  void read_memory(const Json& event) {
    Change change{launches.size(), event.contains("free"), {}};
    change.range.space = Space::Global;
    change.range.address = whole(event, change.freed ? "free" : "alloc");
    change.range.bytes = whole(event, "bytes");
    change.range.element_bytes = 4;
    constexpr std::uint64_t of_the_runtime = 0x40;
    if (!change.freed && (whole(event, "flags") & of_the_runtime)) return;
    if (change.range.address > ~std::uint64_t(0) - change.range.bytes) damaged_events();
    change.range.name = "memory " + std::to_string(++allocations_);
    changes.push_back(std::move(change));
  }

  void read_counts(const Json& event) {
    const auto launch = static_cast<std::size_t>(small_whole(event, "counts", 1, max_launches)) - 1;
    if (launch >= launches.size()) damaged_events();
    launches[launch].lost += whole(event, "lost");
    const auto list = event.find("unlogged");
    if (list == event.end() || !list->is_array()) return;
    for (const Json& one : *list) {
      if (!one.is_array() || one.size() != 2 || !one[0].is_number_unsigned() || !one[1].is_number_unsigned())
        damaged_events();
      if (one[0].get<std::uint64_t>() < twiddle_cuda::counted_instructions)
        unlogged[launch][one[0].get<int>()] += one[1].get<std::uint64_t>();
    }
  }

  // Allocations that were there at a launch.
  std::vector<AccessRange> memory_at(std::size_t launch) const {
    std::map<std::uint64_t, const AccessRange*> live;
    for (const Change& change : changes) {
      if (change.before_launch > launch) break;
      if (change.freed)
        live.erase(change.range.address);
      else
        live[change.range.address] = &change.range;
    }
    std::vector<AccessRange> ranges;
    for (const auto& [address, range] : live) ranges.push_back(*range);
    return ranges;
  }

  Module& module_of(std::size_t launch) {
    Module& module = modules[launch_module[launch]];
    if (!module.cubin) {
      module.cubin.emplace();
      // Lines are a convenience: a launch is as good without.
      try {
        if (!module.file.empty()) module.cubin = read_cubin(read_file(folder / module.file, max_cubin_bytes));
      } catch (const Error&) {}
    }
    return module;
  }

 private:
  int allocations_ = 0;
  std::map<std::pair<int, std::string>, int> program_by_kernel_;  // of each module and kernel
};

CudaLog::CudaLog(const fs::path& folder) : contents_(std::make_unique<Contents>()) {
  contents_->folder = folder;
  contents_->read_events(read_file(folder / "events.jsonl", max_event_bytes));
  if (!contents_->begun) throw contents_->unknown();
}

void CudaLog::update() {
  std::ifstream file(contents_->folder / "events.jsonl", std::ios::binary);
  file.seekg(static_cast<std::streamoff>(contents_->events_read));
  std::string added;
  std::array<char, 1 << 16> part{};
  while (file.read(part.data(), part.size()) || file.gcount() > 0) {
    added.append(part.data(), static_cast<std::size_t>(file.gcount()));
    if (contents_->events_read + added.size() > max_event_bytes) damaged_events();
  }
  if (!added.empty()) contents_->read_events(added);
}

void CudaLog::forget_records() {
  contents_->drains.clear();
  contents_->launch_of.clear();
  contents_->records.emplace(contents_->folder, contents_->files, contents_->drains, contents_->launch_of);
}

CudaLog::~CudaLog() = default;
CudaLog::CudaLog(CudaLog&&) noexcept = default;
CudaLog& CudaLog::operator=(CudaLog&&) noexcept = default;

std::vector<fs::path> CudaLog::processes(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->path().filename().string().rfind("process-", 0) == 0 && fs::exists(at->path() / "events.jsonl", error))
      found.push_back(at->path());
  std::sort(found.begin(), found.end());
  if (fs::exists(folder / "events.jsonl", error)) found.insert(found.begin(), folder);
  return found;
}

const std::vector<CudaLaunch>& CudaLog::launches() const { return contents_->launches; }
const std::vector<CudaProgram>& CudaLog::programs() const { return contents_->programs; }
bool CudaLog::has_ended(std::size_t launch) const { return contents_->ended.at(launch); }
bool CudaLog::complete() const { return contents_->complete; }
const std::vector<std::string>& CudaLog::failures() const { return contents_->failures; }
const std::string& CudaLog::unavailable() const { return contents_->unavailable; }
std::vector<AccessRange> CudaLog::memory_at(std::size_t launch) const { return contents_->memory_at(launch); }

RawAccesses CudaLog::accesses(std::size_t launch, std::uint64_t first_item, std::uint64_t items,
                              const std::vector<AccessRange>* memory) const {
  const CudaLaunch& of = contents_->launches.at(launch);
  first_item = std::min(first_item, of.items());
  items = std::min(items, of.items() - first_item);
  if (items > max_items_at_once)
    throw usage_error("Launch {} has {} items: ask for at most {} at once", of.number, items, max_items_at_once);
  const Contents::Module& module = contents_->module_of(launch);
  CudaAccesses accesses(of, *module.cubin, module.functions, memory ? *memory : contents_->memory_at(launch),
                        first_item, items);
  if (of.recorded)
    contents_->records->records_of(
        of.number, contents_->launch_log[launch], [&](const std::vector<CudaRecord>& records) {
          // A warp's lanes are at most 31 items after the thread that its records name.
          const auto begin = std::partition_point(records.begin(), records.end(), [&](const CudaRecord& record) {
            return record.thread + 31 < first_item;
          });
          for (auto at = begin; at != records.end() && at->thread < first_item + items; ++at)
            accesses.add(contents_->records->decode(*at), at->at);
        });
  return accesses.finish(contents_->unlogged[launch]);
}

}  // namespace twiddle
