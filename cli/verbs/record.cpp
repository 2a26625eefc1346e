// `twiddle record`: run anyone's program and keep what its kernels did.
#include "base/error.h"
#include "base/paths.h"
#include "base/process.h"
#include "base/read_file.h"
#include "base/values/environment.h"
#include "base/version.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/tasks/recorded_command.h"
#include "cli/tracing.h"
#include "cli/verbs.h"
#include "tracer/file/trace_file.h"
#include "tracer/opencl/twin/opencl_rewriter.h"
#include "tracer/record/cuda_run.h"
#include "tracer/record/recording_folder.h"
#include "tracer/run/trace_setup.h"
#include "tracer/runtime/shared_library.h"
#include "tracer/runtimes/open_runtime.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <cstdlib>
#include <optional>
#include <set>

namespace fs = std::filesystem;

namespace twiddle::cli {
namespace {

struct RecordVerb {
  std::string output;
  RecordSettings settings = [] {
    RecordSettings own;
    own.probes = -1;
    return own;
  }();
  Detail detail = Detail::Values;
  bool lift = true;
  std::optional<double> timeout;
  std::vector<std::string> command;
};

constexpr const char* opencl_layer = "libtwiddle-opencl-layer.so";
constexpr const char* cuda_library = "libtwiddle-cuda.so";

// Beside the program, or where libraries are installed; empty where the build lacks it.
fs::path library(const char* name) {
  const fs::path here = program_file().parent_path();
  for (const fs::path& folder : {here, here.parent_path() / "lib" / "twiddle"}) {
    std::error_code ignored;
    if (fs::exists(folder / name, ignored)) return folder / name;
  }
  return {};
}

// The number of this process among those that run the same program; empty: it is no such process.
std::string rank() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"})
    if (std::string text = environment(name); !text.empty()) {
      if (text.find_first_not_of("0123456789") == std::string::npos && text.size() < 10) return text;
    }
  return {};
}

// "run.twd" of rank 3: "run.3.twd".
fs::path file_for(const RecordVerb& options, const std::string& own_rank) {
  fs::path file =
      options.output.empty() ? fs::path(options.command.front()).filename().string() + ".twd" : options.output;
  if (own_rank.empty()) return file;
  const std::string ending = file.extension().string();
  return file.replace_extension("." + own_rank + (ending.empty() ? ".twd" : ending));
}

std::string filter_text(const RecordSettings& settings) {
  std::vector<std::string> parts;
  const RecordSettings all;
  if (!settings.kernels.empty()) parts.push_back(fmt::format("kernels {}", fmt::join(settings.kernels, ",")));
  if (settings.last_launch != all.last_launch)
    parts.push_back(fmt::format("launches {}:{}", settings.first_launch, settings.last_launch));
  if (settings.last_item != all.last_item)
    parts.push_back(fmt::format("items {}:{}", settings.first_item, settings.last_item));
  return fmt::format("{}", fmt::join(parts, ", "));
}

// Whether NVRTC's functions may be asked for in our library first: there is a CUDA driver, and the program has no sanitizer that
// wants to be the first library of all.
bool may_be_preloaded(const fs::path& program) {
  if (environment("TWIDDLE_RECORD_NVRTC") == "0") return false;
  if (!SharedLibrary::open({"libcuda.so.1", "libcuda.so"})) return false;
  constexpr std::size_t max_program = std::size_t(1) << 30;
  try {
    const std::string content = read_file(program, max_program);
    return content.find("libasan.so") == std::string::npos && content.find("libtsan.so") == std::string::npos;
  } catch (const Error&) { return false; }  // it may be run, and not be read
}

// What a variable of the environment lists, and one more behind it.
std::string with_one_more(const char* variable, const fs::path& one) {
  const std::string others = environment(variable);
  return (others.empty() ? "" : others + ":") + one.string();
}

// What is set in the command's environment. The user's own layers stay.
std::vector<std::pair<std::string, std::string>> variables_for(const RecordVerb& options, const fs::path& folder) {
  std::vector<std::pair<std::string, std::string>> variables{{"TWIDDLE_RECORD_DIR", folder.string()}};
  if (const fs::path layer = library(opencl_layer); !layer.empty())
    variables.emplace_back("OPENCL_LAYERS", with_one_more("OPENCL_LAYERS", layer));
  if (const fs::path rewriter = rewriter_program(); !rewriter.empty())
    variables.emplace_back("TWIDDLE_REWRITER", fs::absolute(rewriter).string());
  if (const fs::path cuda = library(cuda_library); !cuda.empty() && !std::getenv("CUDA_INJECTION64_PATH")) {
    const RecordSettings& settings = options.settings;
    variables.emplace_back("CUDA_INJECTION64_PATH", cuda.string());
    if (may_be_preloaded(find_program(options.command.front())))
      variables.emplace_back("LD_PRELOAD", with_one_more("LD_PRELOAD", cuda));
    // Settings one by one: that library reads no JSON.
    variables.emplace_back("TWIDDLE_RECORD_KERNELS", fmt::format("{}", fmt::join(settings.kernels, ",")));
    variables.emplace_back("TWIDDLE_RECORD_LAUNCHES",
                           fmt::format("{}:{}", settings.first_launch, settings.last_launch));
    if (settings.last_item != RecordSettings().last_item)
      variables.emplace_back("TWIDDLE_RECORD_ITEMS", fmt::format("{}:{}", settings.first_item, settings.last_item));
    variables.emplace_back("TWIDDLE_RECORD_LOG_BYTES", std::to_string(settings.log_bytes));
    variables.emplace_back("TWIDDLE_RECORD_DETAIL", options.detail == Detail::Index ? "index" : "values");
  }
  return variables;
}

// The trace, begun with the first launch: before, nothing is known of the device.
class Recorder {
 public:
  Recorder(const RecordVerb& options, fs::path file, std::string own_rank)
      : options_(options), file_(std::move(file)), rank_(std::move(own_rank)) {}

  void take(const RecordingFolder::Where& where, RecordedLaunch&& launch) {
    if (!run_) begin(where);
    run_->add(std::move(launch));
  }

  const RecordedTotals& totals() const {
    static const RecordedTotals none;
    return run_ ? run_->totals() : none;
  }

  // What memory holds after the launches so far; empty: it is new.
  std::vector<std::byte> replayed(std::uint64_t memory) const {
    return run_ ? run_->replayed(memory) : std::vector<std::byte>();
  }

  // Null where nothing was seen: then no file is left.
  const TraceWriter* finish() {
    if (!run_ || totals().launches == totals().plain) return nullptr;
    writer_->finish();
    return &*writer_;
  }

  // Keeps what was written, marked incomplete, and says where: a trace that was there before stays.
  fs::path interrupt() {
    if (!run_) return {};
    writer_->interrupt();
    return writer_->path();
  }

 private:
  void begin(const RecordingFolder::Where& where) {
    TraceInfo info;
    info.program = std::string("twiddle ") + program_version;
    info.created = now_utc();
    info.runtime = where.runtime;
    info.device = where.device;
    info.driver = where.driver;
    info.title = Message("recorded: {}", fmt::format("{}", fmt::join(options_.command, " ")));
    info.algorithm = fs::path(options_.command.front()).filename().string();
    info.parameters["recorded"] = "true";
    if (!rank_.empty()) info.parameters["rank"] = rank_;
    info.detail = options_.detail;
    info.filter = filter_text(options_.settings);
    writer_.emplace(file_);
    RecordOptions how;
    how.lift = options_.lift;
    run_.emplace(info, *writer_, how);
  }

  const RecordVerb& options_;
  fs::path file_;
  std::string rank_;
  std::optional<TraceWriter> writer_;
  std::optional<RecordedRun> run_;
};

// What the library for CUDA programs left.
struct CudaTotals {
  std::set<std::string> failures;  // what it could not do, in its words
  std::uint64_t not_asked_for = 0, launches = 0, cut_short = 0, unreadable = 0;
};

// The command has ended: CUDA's log is read as a whole, for its launches may end in any order.
CudaTotals take_cuda_launches(const fs::path& folder, const Recorder& recorder, const RecordingFolder::Take& take) {
  CudaTotals totals;
  std::optional<DeviceList> devices;
  const auto device = [&](int number) {
    if (!devices) devices = list_devices();
    for (const DeviceInfo& one : devices->devices)
      if (one.runtime == "cuda" && one.index == number) return RecordingFolder::Where{"cuda", one.name, one.driver};
    return RecordingFolder::Where{"cuda", fmt::format("CUDA device {}", number), ""};
  };
  const std::vector<fs::path> processes = CudaLog::processes(folder);
  for (std::size_t p = 0; p < processes.size(); ++p) {
    try {
      const CudaLog log(processes[p]);
      totals.failures.insert(log.failures().begin(), log.failures().end());
      if (!log.unavailable().empty()) totals.failures.insert(log.unavailable());
      totals.cut_short += !log.complete();
      totals.launches += log.launches().size();
      std::size_t next = 0;
      read_cuda_launches(
          log, p, [&](std::uint64_t memory) { return recorder.replayed(memory); },
          [&](RecordedLaunch&& launch) {
            const CudaLaunch& of = log.launches()[next++];
            if (of.recorded)
              take(device(of.device), std::move(launch));
            else
              ++totals.not_asked_for;
          });
    } catch (const Error& error) {
      if (error.code() != ExitCode::unreadable) throw;
      ++totals.unreadable;
    }
  }
  return totals;
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  return fmt::format("{:.1f} %", whole ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 100.0);
}

void print_summary(const RecordedTotals& totals, const TraceWriter& writer) {
  print_line("recorded {} of {}, {} ({} lost)", grouped(totals.launches - totals.plain - totals.begun),
             counted(totals.launches, "launch", "launches"), counted(totals.accesses, "access", "accesses"),
             grouped(totals.lost));
  std::vector<std::string> kinds;
  for (const auto& [kind, count] : totals.operations)
    kinds.push_back(fmt::format("{} {}", grouped(count), name_of(kind)));
  if (totals.writes > 0)
    print_line("{} of {} explained{}{}", percent(totals.explained, totals.writes),
               counted(totals.writes, "write", "writes"), kinds.empty() ? "" : ", as ",
               fmt::format("{}", fmt::join(kinds, ", ")));
  std::error_code ignored;
  print_line("file {}: {}", writer.path().string(), bytes_text(fs::file_size(writer.path(), ignored)));
}

// What a person should know beside the figures.
void print_notes(const RecordedTotals& totals, const RecordingFolder::Totals& folder, const CudaTotals& cuda) {
  for (const std::string& failure : cuda.failures) print_line("CUDA: {}", failure);
  if (cuda.not_asked_for > 0)
    print_line("{} of CUDA not asked for", counted(cuda.not_asked_for, "launch was", "launches were"));
  if (cuda.cut_short > 0)
    print_line("{} not recorded to the end: what was logged until then is kept",
               counted(cuda.cut_short, "CUDA program was", "CUDA programs were"));
  if (cuda.unreadable > 0)
    print_line("{} lost: what was written of them cannot be read",
               counted(cuda.unreadable, "CUDA program is", "CUDA programs are"));
  const auto& counts = folder.counts.of;
  if (totals.idle > 0)
    print_line("{} whose values reach no result: not explained, and not counted above",
               counted(totals.idle, "write", "writes"));
  for (const auto& [reason, count] : totals.reasons)
    print_line("{} ran without being seen: {}", counted(count, "launch", "launches"), reason);
  for (const auto& [what, count] : totals.unlogged) print_line("in {}: {}", counted(count, "launch", "launches"), what);
  if (totals.probed > 0)
    print_line("{} ran again on other data, {} in all, to see what depends on what (--probes)",
               counted(totals.probed, "launch", "launches"), counted(totals.probes, "time", "times"));
  if (totals.outside > 0)
    print_line("{} changed between launches from outside: by the host, or by what was not recorded",
               counted(totals.outside, "buffer", "buffers"));
  if (totals.unresolved > 0)
    print_line("{} met no memory that is known", counted(totals.unresolved, "access", "accesses"));
  if (counts[RecordCounts::Filtered] > 0)
    print_line("{} not asked for", counted(counts[RecordCounts::Filtered], "launch was", "launches were"));
  if (counts[RecordCounts::Binaries] > 0)
    print_line(
        "{} refused, so that the program builds from source (TWIDDLE_ALLOW_BINARIES=1 lets them run, unseen)",
        counted(counts[RecordCounts::Binaries], "program made of binaries was", "programs made of binaries were"));
  if (folder.cut_short > 0)
    print_line("{} not recorded to the end: the command ended first, or the log found no room",
               counted(folder.cut_short, "launch was", "launches were"));
  if (folder.unreadable > 0)
    print_line("{} lost: what was written of them cannot be read",
               counted(folder.unreadable, "launch is", "launches are"));
}

// Why nothing was recorded.
std::string why_nothing(const RecordedTotals& totals, const RecordingFolder::Totals& folder, const CudaTotals& cuda,
                        const CommandEnd& end) {
  const auto& counts = folder.counts.of;
  if (library(opencl_layer).empty() && library(cuda_library).empty())
    return "this build of Twiddle can record neither OpenCL nor CUDA programs: install opencl-c-headers and build it "
           "again";
  if (totals.launches > 0) return "no launch could be recorded";
  if (cuda.not_asked_for > 0)
    return fmt::format("none of its {} is among those that were asked for, or could be logged",
                       counted(cuda.launches, "launch", "launches"));
  if (!cuda.failures.empty()) return "its CUDA launches could not be logged";
  if (counts[RecordCounts::Filtered] > 0)
    return fmt::format("none of its {} is among those that were asked for",
                       counted(counts[RecordCounts::Filtered], "launch", "launches"));
  if (counts[RecordCounts::Binaries] > 0)
    return "its programs were made of binaries alone, which were refused; nothing can be seen in those";
  if (folder.processes > 0) return "it launched no kernel";
  if (!end.loader.empty() && !takes_layers(end.loader))
    return fmt::format(
        "its OpenCL loader, {}, takes no layers; put ocl-icd's (2.3 or later) or Khronos' loader first with "
        "LD_LIBRARY_PATH",
        end.loader);
  return "it made no OpenCL or CUDA call, or found no driver for one";
}

int record(const RecordVerb& options) {
  const std::string& name = options.command.front();
  if (find_program(name).empty()) {
    std::error_code ignored;
    const bool there = name.find('/') != std::string::npos && fs::exists(name, ignored);
    if (there)
      print_line("{} cannot be run: it is no program", name);
    else
      print_line("there is no command {}", name);
    return there ? exit_not_runnable : exit_not_found;
  }
  const std::string own_rank = rank();
  const fs::path file = file_for(options, own_rank);
  refuse_to_replace(file);
  RecordSettings settings = options.settings;
  const std::string binaries = environment("TWIDDLE_ALLOW_BINARIES");
  if (!options.lift) settings.probes = 0;  // none is asked for
  settings.binaries = !binaries.empty() && binaries != "0";

  const InterruptGuard guard;
  RecordingFolder folder(settings);
  Recorder recorder(options, file, own_rank);
  // Where the trace cannot be written any more, the command goes on, and what it leaves is thrown away.
  Message failed;
  std::uint64_t left_out = 0;
  const RecordingFolder::Take take = [&](const RecordingFolder::Where& where, RecordedLaunch&& launch) {
    if (!failed.empty()) return;
    if (InterruptGuard::asked()) {
      ++left_out;
      return;
    }
    try {
      recorder.take(where, std::move(launch));
    } catch (const Error& error) { failed = error.message(); }
  };
  CudaTotals cuda;
  CommandReader reader;
  reader.look = [&] { return folder.read(take); };
  reader.wait = [&](std::chrono::milliseconds longest) { folder.wait(longest); };
  reader.wake = [&] { folder.wake(); };
  reader.rest = [&] {
    if (failed.empty()) try {
        folder.read_begun(take);
        cuda = take_cuda_launches(folder.path(), recorder, take);
      } catch (const Error& error) { failed = error.message(); }
  };
  const CommandEnd end = run_command(options.command, variables_for(options, folder.path()), options.timeout, reader);
  if (left_out > 0) {
    const fs::path held_by = recorder.interrupt();
    const std::uint64_t kept = recorder.totals().launches;
    throw Interrupted(kept == 0 ? fmt::format("interrupted: nothing of {} was recorded", name)
                                : fmt::format("interrupted: {} holds the first {}, marked incomplete, and {} left out",
                                              held_by.string(), counted(kept, "launch", "launches"),
                                              counted(left_out, "launch was", "launches were")));
  }
  if (!failed.empty()) {
    recorder.interrupt();
    print_line("the recording ends early: {}", failed);
    return end.code == 0 ? static_cast<int>(ExitCode::usage) : end.code;
  }
  const TraceWriter* trace = recorder.finish();
  const RecordedTotals& totals = recorder.totals();
  if (end.timed_out) print_line("{} was stopped after {} s (--timeout)", name, *options.timeout);
  if (trace) print_summary(totals, *trace);
  print_notes(totals, folder.totals(), cuda);
  if (trace) return end.code;
  print_line("nothing of {} was recorded: {}", name, why_nothing(totals, folder.totals(), cuda, end));
  return end.code == 0 ? static_cast<int>(ExitCode::no_device) : end.code;
}

void add_filters(Program& program, CLI::App& verb, RecordVerb& options) {
  const std::string group = "What to keep of it";
  verb.add_option_function<std::string>(
          "--kernels",
          [&options](const std::string& text) {
            for (std::size_t at = 0; at <= text.size();) {
              const std::size_t comma = std::min(text.find(',', at), text.size());
              if (comma == at)
                throw usage_error("--kernels takes names parted by commas, and '{}' has an empty one", text);
              options.settings.kernels.push_back(text.substr(at, comma - at));
              at = comma + 1;
            }
          },
          "only kernels of these names; * and ? stand for anything")
      ->type_name("GLOB,…")
      ->group(group);
  const auto range = [&](const char* option, const char* meaning, std::uint64_t lowest, std::uint64_t& first,
                         std::uint64_t& last) {
    verb.add_option_function<std::string>(
            option,
            [option, lowest, &first, &last](const std::string& text) {
              std::tie(first, last) = whole_range(option, text, lowest, 0xFFFFFFFF);
            },
            meaning)
        ->type_name("A:B")
        ->group(group);
  };
  RecordSettings& settings = options.settings;
  range("--launches", "only these launches of each process, first to last, from 1", 1, settings.first_launch,
        settings.last_launch);
  range("--items", "only these work-items of each launch, first to last", 0, settings.first_item, settings.last_item);
  add_choice(program, verb, "--detail", "index: places alone; values: also what was read and written",
             {"index", "values"},
             [&](const std::string& word) { options.detail = word == "index" ? Detail::Index : Detail::Values; })
      ->group(group);
  add_whole(verb, "--log-bytes", "BYTES", "device memory for the log; larger launches run again, in windows", 65536,
            std::uint64_t(1) << 40, settings.log_bytes)
      ->group(group);
  verb.add_option_function<std::string>(
          "--probes",
          [&options](const std::string& text) {
            const bool word = text == "auto" || text == "off";
            if (!word && text.find_first_not_of("0123456789") != std::string::npos)
              throw usage_error("--probes takes auto, off or a whole number, and '{}' is none of them", text);
            options.settings.probes =
                word ? (text == "auto" ? -1 : 0) : static_cast<int>(whole_number("--probes", text, 1, 1000));
          },
          "run OpenCL launches again on other data where values do not tell what was computed: auto, off, or how often "
          "each "
          "is to run")
      ->type_name("auto|off|N")
      ->group(group);
  add_choice(program, verb, "--lift", "on: find the operations that the accesses are; off: keep the accesses alone",
             {"on", "off"}, [&](const std::string& word) { options.lift = word == "on"; })
      ->group(group);
}

}  // namespace

void add_record(Program& program) {
  const auto options = std::make_shared<RecordVerb>();
  CLI::App& verb = program.verb("record", "Run anyone's OpenCL or CUDA program and log what its kernels did",
                                "The command runs as it would without: its input, its output and its exit code are its "
                                "own. At the end a summary goes to standard error. The exit code is 4 when the command "
                                "ended well and nothing could be recorded, 127 when there is no such command, and 128 "
                                "+ n when signal n ended it.",
                                [options] { return record(*options); });
  program.complete(
      add_text(verb, "-o,--output", "FILE.twd", "the trace file to write; COMMAND.twd without it", options->output),
      trace_completion());
  add_filters(program, verb, *options);
  add_number(verb, "--timeout", "SECONDS", "stop the command after so long", 0.1, 1e7, options->timeout);
  verb.add_option_function<std::vector<std::string>>(
          "COMMAND", [options](const std::vector<std::string>& words) { options->command = words; },
          "the command and its arguments, behind --")
      ->type_name("")
      ->expected(-1)
      ->required();
  program.example(verb, "twiddle record -o run.twd -- ./my_fft 4096", "Record a program");
  program.example(verb, "twiddle record --kernels 'fft*' --launches 1:10 -- ./my_fft 4096",
                  "Keep the first ten launches, and of them those of some kernels");
}

}  // namespace twiddle::cli
