#include "tracer/record/recording_folder.h"

#include "base/error.h"
#include "base/process_tree.h"
#include "base/read_file.h"
#include "base/text.h"
#include "base/write_file.h"
#include "kernels/plan/element.h"
#include "tracer/opencl/twin/opencl_access_log.h"
#include "tracer/record/argument_text.h"
#include "tracer/trace/begun.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <fstream>
#include <optional>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace twiddle {
namespace {

// As a plan file writes an argument: "int:8", "local:64"; of a part of a memory object what follows its name, " + 64".
std::string argument_text_of(const RawArgument& argument) {
  switch (argument.kind) {
    case RawArgument::Kind::Memory:
      if (argument.memory < 0) return argument.name + " = null";
      return argument.offset ? fmt::format(" + {}", argument.offset) : "";
    case RawArgument::Kind::Local: return fmt::format("local:{}", argument.bytes);
    case RawArgument::Kind::Reached: return " = reached";
    case RawArgument::Kind::Value: break;
  }
  const bool is_unsigned = argument.type.starts_with("unsigned ");
  const auto type = element_type_named(is_unsigned ? "u" + argument.type.substr(9) : argument.type);
  return recorded_text(type, argument.type, bytes_in_hex(argument.value).value_or(std::vector<std::byte>()));
}

// The layout that the log's own head gives, as far as it can be one.
AccessLogLayout layout_of(const RawLaunch& launch, const RawWindow& window, const Twin& twin,
                          std::span<const std::uint64_t> words) {
  AccessLogLayout layout;
  layout.first_item = window.first_item;
  layout.items = window.items;
  layout.groups = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    layout.group_size *= launch.local[d];
    layout.groups *= launch.global[d] / launch.local[d];
  }
  layout.bases = twin.bases;
  layout.group_bases = twin.group_bases;
  layout.rows = launch.rows;
  if (window.items > (std::uint64_t(1) << 32) || layout.records_at() > words.size())
    throw unreadable("a log of the recording is too short");
  const auto first = words.begin() + static_cast<std::ptrdiff_t>(layout.rooms_at());
  layout.rooms.assign(first, first + static_cast<std::ptrdiff_t>(layout.blocks() + 1));
  if (!std::is_sorted(layout.rooms.begin(), layout.rooms.end()) || layout.rooms.back() * 2 > words.size() ||
      layout.rooms.front() * 2 < layout.records_at())
    throw unreadable("a log of the recording has no order");
  return layout;
}

RecordedWindow window_in(const RawFile::Section& section, const RawLaunch& raw, const RawWindow& of, const Twin& twin) {
  const auto kernel = std::find_if(twin.kernels.begin(), twin.kernels.end(),
                                   [&](const TwinKernel& one) { return one.name == raw.kernel; });
  if (kernel == twin.kernels.end()) throw unreadable("a launch of the recording has no kernel");
  const std::span<const std::uint64_t> words(reinterpret_cast<const std::uint64_t*>(section.bytes.data()),
                                             section.bytes.size() / sizeof(std::uint64_t));
  const AccessLogLayout layout = layout_of(raw, of, twin, words);
  std::vector<ArgumentMemory> memory;
  for (const RawArgument& argument : raw.arguments)
    memory.push_back(
        {argument.kind == RawArgument::Kind::Value ? 0 : argument.bytes, argument.kind == RawArgument::Kind::Local});
  RecordedWindow window;
  window.accesses = read_access_log(twin, *kernel, layout, words, memory);
  for (const AccessRange& range : window.accesses.ranges) {
    const bool given = range.argument >= 0 && range.argument < std::ssize(raw.arguments);
    const RawArgument* argument = given ? &raw.arguments[static_cast<std::size_t>(range.argument)] : nullptr;
    window.memory.push_back(argument ? argument->memory : -1);
    window.offset.push_back(argument && argument->memory >= 0 ? argument->offset : 0);
  }
  // Memory that pointers lead to has no parameter that would say where it is.
  for (std::size_t m = 0; m < raw.memory.size(); ++m) {
    if (raw.memory[m].address == 0 || std::count(window.memory.begin(), window.memory.end(), static_cast<int>(m)) > 0)
      continue;
    AccessRange range;
    range.address = raw.memory[m].address;
    range.bytes = raw.memory[m].bytes;
    window.accesses.ranges.push_back(std::move(range));
    window.memory.push_back(static_cast<int>(m));
    window.offset.push_back(0);
  }
  return window;
}

}  // namespace

// A launch that may wait for being asked about. It must not wait in vain.
class WaitingLaunch {
 public:
  WaitingLaunch(fs::path file, std::uint64_t process_id) : file_(std::move(file)), process_id_(process_id) {}
  ~WaitingLaunch() {
    try {
      if (waits) tell({});
    } catch (const std::exception&) {}  // then it stops waiting some time
  }
  WaitingLaunch(const WaitingLaunch&) = delete;
  WaitingLaunch& operator=(const WaitingLaunch&) = delete;

  // Null: nothing is to be known.
  std::unique_ptr<RawFile> ask(const WantedProbes& request) {
    if (!waits) return nullptr;
    tell({request.runs, request.first_item, request.items, request.number_bytes});
    if (request.runs == 0) return nullptr;
    const fs::path answer = file_beside(file_, "probed");
    if (!await_file(answer, std::chrono::minutes(1), [&] { return !living_process(static_cast<pid_t>(process_id_)); }))
      return nullptr;
    auto file = std::make_unique<RawFile>(answer);
    std::error_code failed;
    fs::remove(answer, failed);  // what is mapped stays
    return file;
  }

  bool waits = true;  // unless the launch says that it does not

 private:
  void tell(const RawProbes& probes) {
    waits = false;
    RawFileWriter file(file_beside(file_, "probe"));
    file.add("head", text_of(probes));
    file.keep();
  }

  fs::path file_;
  std::uint64_t process_id_;
};

RecordingFolder::RecordingFolder(const RecordSettings& settings)
    : folder_(TemporaryFolder::Held{"record", "the program cannot be recorded"}), probes_(settings.probes) {
  const std::error_code unwritten = try_write_file(path() / "settings", text_of(settings));
  lock_ = open((path() / "recorder").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock_ < 0 || flock(lock_, LOCK_EX | LOCK_NB) != 0 || unwritten)
    throw usage_error("the program cannot be recorded: {} cannot be written", path().string());
  watch_.add(path(), FolderWatch::For::Folders);
}

RecordingFolder::~RecordingFolder() {
  if (lock_ >= 0) close(lock_);
}

bool RecordingFolder::read(const Take& take) {
  bool any = false;
  std::error_code failed;
  for (fs::directory_iterator at(path(), failed), end; !failed && at != end; at.increment(failed)) {
    const std::string name = at->path().filename();
    if (name.size() < 2 || name[0] != 'p' || !std::isdigit(static_cast<unsigned char>(name[1])) ||
        !at->is_directory(failed))
      continue;
    const auto [known, fresh] = processes_.try_emplace(name);
    if (fresh) watch_.add(at->path(), FolderWatch::For::Files);
    Process& process = known->second;
    const std::uint64_t process_id = std::strtoull(name.c_str() + 1, nullptr, 10);
    for (;; ++process.next) {
      const fs::path file = at->path() / ("launch-" + std::to_string(process.next));
      std::error_code none;
      if (!fs::exists(file, none)) {
        // One that could not be written is followed by others. Both may have come since it was looked for.
        if (!fs::exists(at->path() / ("launch-" + std::to_string(process.next + 1)), none)) break;
        if (!fs::exists(file, none)) continue;
      }
      any = true;
      ++process.seen;
      Where where;
      std::optional<RecordedLaunch> launch;
      const auto waiting = std::make_shared<WaitingLaunch>(file, process_id);
      try {
        const RawFile raw(file);
        launch = launch_in(at->path(), process, process_id, waiting, raw, where);
      } catch (const std::exception&) { ++unreadable_; }
      fs::remove(file, none);
      if (launch) take(where, std::move(*launch));
    }
  }
  return any;
}

void RecordingFolder::read_begun(const Take& take) {
  for (auto& [name, process] : processes_) {
    const fs::path file = path() / name / ("begun-" + std::to_string(process.next));
    std::error_code none;
    if (!fs::exists(file, none)) continue;
    Where where;
    RawLaunch raw;
    std::optional<RecordedLaunch> launch;
    try {
      const std::uint64_t process_id = std::strtoull(name.c_str() + 1, nullptr, 10);
      const RawFile content(file);
      raw = read_raw_launch(content.text("head"));
      launch = launch_in(path() / name, process, process_id, std::make_shared<WaitingLaunch>(file, process_id), content,
                         where);
    } catch (const std::exception&) { continue; }  // it is counted as cut short
    // What its memory held did not come: of its arguments the names are known.
    for (std::size_t a = 0; a < raw.arguments.size(); ++a)
      if (raw.arguments[a].memory >= 0) launch->info.arguments[a].insert(0, raw.arguments[a].name);
    launch->argument_memory.assign(raw.arguments.size(), -1);
    launch->memory.clear();
    launch->reason = begun_reason(false);
    take(where, std::move(*launch));
  }
}

std::shared_ptr<const RecordingFolder::Program> RecordingFolder::program(const fs::path& folder, Process& process,
                                                                         int number) {
  if (number < 0) return nullptr;
  std::shared_ptr<const Program>& known = process.programs[number];
  if (known) return known;
  const RawFile file(folder / ("program-" + std::to_string(number)));
  RawProgram raw = read_raw_program(file.text("head"));
  auto made = std::make_shared<Program>();
  made->twin = read_twin(raw.description);
  made->sources.push_back({raw.name, raw.text, raw.options});
  made->sources.insert(made->sources.end(), raw.more.begin(), raw.more.end());
  known = std::move(made);
  return known;
}

RecordedLaunch RecordingFolder::launch_in(const fs::path& folder, Process& process, std::uint64_t process_id,
                                          const std::shared_ptr<WaitingLaunch>& waiting, const RawFile& file,
                                          Where& where) {
  const RawLaunch raw = read_raw_launch(file.text("head"));
  waiting->waits = raw.waits;
  const std::shared_ptr<const Program> program = this->program(folder, process, raw.program);
  where = {"opencl", raw.device, raw.driver};
  RecordedLaunch launch;
  launch.info.kernel = raw.kernel;
  launch.info.dimensions = raw.dimensions;
  launch.info.global = raw.global;
  launch.info.local = raw.local;
  launch.info.kernel_ns = raw.device_ns;
  launch.info.offset = raw.offset;
  for (const RawArgument& argument : raw.arguments) {
    launch.info.arguments.push_back(argument_text_of(argument));
    launch.argument_memory.push_back(argument.memory);
  }
  if (!raw.reason.empty()) launch.reason = Message::verbatim(raw.reason);
  launch.lost = 0;  // each log counts its own
  if (program) launch.sources = program->sources;
  for (const RawMemory& memory : raw.memory) {
    RecordedMemory one;
    one.id = (process_id << 40) + memory.id;
    one.bytes = memory.bytes;
    launch.memory.push_back(std::move(one));
  }
  for (const RawArgument& argument : raw.arguments) {
    if (argument.memory < 0) continue;
    RecordedMemory& memory = launch.memory[static_cast<std::size_t>(argument.memory)];
    if (memory.name.empty()) memory.name = argument.name;
    if (!memory.pointed_to) memory.pointed_to = element_type_named(argument.type.substr(0, argument.type.find('*')));
  }

  std::size_t before = 0, after = 0, windows = 0;
  const auto next = [&](std::size_t& at, bool RawMemory::*has) -> RecordedMemory& {
    while (at < raw.memory.size() && !(raw.memory[at].*has)) ++at;
    if (at == raw.memory.size()) throw unreadable("a launch of the recording has too many contents");
    return launch.memory[at++];
  };
  for (const RawFile::Section& section : file.sections()) {
    if (section.tag == "befo")
      next(before, &RawMemory::has_before).before.emplace(section.bytes.begin(), section.bytes.end());
    if (section.tag == "afte")
      next(after, &RawMemory::has_after).after.emplace(section.bytes.begin(), section.bytes.end());
    if (section.tag != "logw") continue;
    if (!program || windows == raw.windows.size()) throw unreadable("a launch of the recording has too many logs");
    launch.windows.push_back(window_in(section, raw, raw.windows[windows++], program->twin));
  }
  if (raw.waits && program && probes_ != 0) {
    launch.probes = probes_;
    launch.probe = [raw, program, waiting](const WantedProbes& request) {
      std::vector<RecordedWindow> probed;
      const std::unique_ptr<RawFile> answer = waiting->ask(request);
      for (std::size_t s = 0; answer && s < answer->sections().size(); ++s)
        probed.push_back(window_in(answer->sections()[s], raw, {request.first_item, request.items}, program->twin));
      return probed;
    };
  }
  return launch;
}

RecordingFolder::Totals RecordingFolder::totals() const {
  Totals totals;
  totals.unreadable = unreadable_;
  for (const auto& [name, process] : processes_) {
    ++totals.processes;
    RecordCounts counts;
    std::ifstream in(path() / name / "counts", std::ios::binary);
    in.read(reinterpret_cast<char*>(counts.of.data()), sizeof counts.of);
    if (in.gcount() != sizeof counts.of) continue;
    for (std::size_t c = 0; c < counts.of.size(); ++c) totals.counts.of[c] += counts.of[c];
    const std::uint64_t asked_for = counts.of[RecordCounts::Launches] - counts.of[RecordCounts::Filtered];
    totals.cut_short += asked_for - std::min(asked_for, process.seen);
  }
  return totals;
}

}  // namespace twiddle
