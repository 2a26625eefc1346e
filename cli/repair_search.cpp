#include "cli/repair_search.h"

#include "base/error.h"
#include "base/process_output.h"
#include "base/read_file.h"
#include "base/temporary_folder.h"
#include "base/values/clock.h"
#include "base/values/environment.h"
#include "base/values/json_text.h"
#include "base/write_file.h"
#include "cli/tracing.h"
#include "tracer/cuda/cuda_access_log.h"
#include "tracer/direct/direct_runtime.h"
#include "tracer/repair/copies.h"
#include "tracer/repair/trial.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <set>
#include <string_view>

namespace twiddle::cli {
namespace {

constexpr std::string_view mark = "--search-repair=", edits_mark = "--search-repair-edits=",
                           folder_mark = "--search-repair-folder=", so_far_mark = "so-far ";
constexpr double thorough_seconds = 40, unasked_seconds = 20;  // of processor time, for trials
constexpr double clock_times = 6;                              // times as many by the clock, of all processes together
constexpr double of_a_build = 0.25;                            // of that time: for a program of many changes
constexpr int restarts = 12;
constexpr std::uintmax_t max_edits = std::uintmax_t(1) << 26;

std::vector<std::string> command_line;
std::optional<std::string> skipped;  // of a process that searches: batches, separated by ","
std::string edits_file;              // of such a process: texts in place of files', as JSON; empty: there are none

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find(',', from), text.size());
    parts.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  return parts;
}

bool begins_with_any(const std::string& event, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return event.starts_with(word); });
}

// What every later process has to know.
bool is_kept(const std::string& event) { return begins_with_any(event, {"right ", "order ", "located ", "sizes "}); }

// Whether the progress is that of a change, and not that of a check of what was found.
bool is_trial(const std::string& event) { return !is_kept(event) && !begins_with_any(event, {"check ", "compile "}); }

// Past stdio, whose buffer a changed kernel may have written to.
void put(const std::string& line) {
  for (std::size_t from = 0; from < line.size();) {
    const ssize_t count = ::write(STDOUT_FILENO, line.data() + from, line.size() - from);
    if (count < 0 && errno != EINTR) return;
    if (count > 0) from += static_cast<std::size_t>(count);
  }
}

// Compilers recurse deeply in a program of hundreds of changes.
void give_stack() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_STACK, &limit) != 0) return;
  const rlim_t enough = rlim_t(120) << 20;
  if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < enough) {
    limit.rlim_cur = limit.rlim_max == RLIM_INFINITY ? enough : std::min(limit.rlim_max, enough);
    ::setrlimit(RLIMIT_STACK, &limit);
  }
}

// Null where there is no compiler for it.
std::unique_ptr<Runtime> direct_runtime(const DeviceInfo& device) {
  try {
    return open_direct_runtime(device);
  } catch (const Error&) { return nullptr; }
}

}  // namespace

void remember_command_line(int& count, char** arguments) {
  for (int k = 1; k < count;) {
    // What is behind a mark; the argument is then none any more.
    const auto taken = [&](std::string_view own_mark) -> std::optional<std::string> {
      const std::string_view argument = arguments[k];
      if (!argument.starts_with(own_mark)) return std::nullopt;
      std::move(arguments + k + 1, arguments + count + 1, arguments + k);  // with the null at their end
      --count;
      return std::string(argument.substr(own_mark.size()));
    };
    if (!skipped) {
      skipped = taken(mark);
      // PoCL's device without threads of its own: trials run in copies of this process.
      if (skipped) ::setenv("POCL_DEVICES", "basic", 0);
      if (skipped) continue;
    } else if (const auto edits = taken(edits_mark)) {
      edits_file = *edits;
      continue;
    } else if (const auto folder = taken(folder_mark)) {
      ::setenv("TMPDIR", folder->c_str(), 1);
      continue;
    }
    command_line.emplace_back(arguments[k++]);
  }
}

bool searching_repair() { return skipped.has_value(); }

void search_repair_here(RunOptions options, bool thorough) {
  give_stack();
  Repaired repaired;
  try {
    if (!edits_file.empty())
      options.request.edited = nlohmann::json::parse(read_file(edits_file, max_edits)).get<SourceEdits>();
    const Plan plan = requested_plan(options);
    const std::unique_ptr<Runtime> runtime = requested_runtime(options, &plan);
    runtime->limit_time(10, 2);
    RepairOptions how;
    const DeviceInfo& device = runtime->device();
    how.forks = device.runtime == "host" ||
                (device.runtime == "opencl" && device.kind == "cpu" && environment("POCL_DEVICES") == "basic");
    how.builds_beside = how.forks;
    const std::unique_ptr<Runtime> direct = device.runtime == "opencl" && how.forks ? direct_runtime(device) : nullptr;
    how.direct = direct.get();
    how.seconds = thorough ? thorough_seconds : unasked_seconds;
    how.max_build_seconds = of_a_build * how.seconds;
    if (!thorough) how.max_item_runs >>= 3;
    how.resume = split(*skipped);
    how.progress = [](const std::string& event) { put(event + "\n"); };
    repaired = search_repair(plan, *runtime, how);
  } catch (const DeviceLost&) {
    drop_cuda_access_log();
    std::_Exit(3);
  } catch (const Error& failed) {
    repaired.unsearched.push_back(std::string("no repair was searched: ") + failed.what());
  } catch (const std::exception&) {  // a changed kernel has written to what is this process's own
    drop_cuda_access_log();
    std::_Exit(3);
  }
  put("found " + to_json(repaired) + "\n");
  drop_cuda_access_log();
  std::_Exit(0);
}

namespace {

constexpr const char* own_program = "/proc/self/exe";

// What one process found, and what those before it had: a repair that was checked is one, however they ended.
Repaired with_earlier(Repaired found, Repaired before) {
  if (!found.repairs.empty()) return found;
  if (!before.repairs.empty()) return before;
  if (!found.likely) found.likely = std::move(before.likely);
  return found;
}

}  // namespace

Repaired searched_by(const std::vector<std::string>& program, const std::vector<std::string>& words, bool thorough,
                     const std::function<bool(std::uint64_t tried)>& go_on) {
  const auto start_of_all = Clock::now();
  double worked = 0;  // seconds of the processor, of processes that ended
  const auto end = start_of_all + clock_time(clock_times * (thorough ? thorough_seconds : unasked_seconds));
  std::string skip;
  Repaired so_far;              // of processes that ended before they were through
  std::set<std::string> tried;  // by all processes
  std::string why = "changed kernels ended the processes that ran them";
  const auto goes_on = [&] { return !go_on || go_on(tried.size()); };
  const TemporaryFolder folder;  // what processes that end in the midst of it leave behind goes with it
  for (int start = 0; start < restarts; ++start) {
    const double left = seconds_between(Clock::now(), end);
    if (left < 1) {
      why = "it took too long";
      break;
    }
    std::vector<std::string> arguments = program;
    arguments.push_back(std::string(mark) + skip);
    arguments.push_back(std::string(folder_mark) + folder.path().string());
    arguments.insert(arguments.end(), words.begin(), words.end());
    std::string begun, part;
    double beside = 0;  // seconds of the processor, of its copies that worked ahead of it
    std::optional<std::string> found;
    const auto line_came = [&](const std::string& line) {
      if (line.starts_with("found ")) {
        found = line.substr(6);
        return;
      }
      if (line.starts_with(so_far_mark)) {
        Repaired now = repaired_from_json(line.substr(so_far_mark.size()));
        if (so_far.repairs.empty() || !now.repairs.empty()) so_far = std::move(now);
        return;
      }
      constexpr std::string_view also = "also ";
      if (line.starts_with(also)) {
        if (is_trial(line.substr(also.size()))) tried.insert(line.substr(also.size()));
        return;
      }
      if (line.starts_with("beside ")) {
        beside = std::atof(line.c_str() + std::string_view("beside ").size());
        return;
      }
      const bool kept = is_kept(line);
      if (!kept) begun = line;
      if (is_trial(line)) tried.insert(line);
      if (kept) skip += (skip.empty() ? "" : ",") + line;
    };
    const auto printed = [&](std::string_view piece) {
      part += piece;
      for (std::size_t newline; (newline = part.find('\n')) != std::string::npos; part.erase(0, newline + 1))
        line_came(part.substr(0, newline));
    };
    const double worked_before = processor_seconds_of_children();
    try {
      const ProcessResult ended = run_process_heard(arguments, left, goes_on, printed);
      if (found) return with_earlier(repaired_from_json(*found), std::move(so_far));
      if (!goes_on()) return {};
      if (ended.timed_out) why = "it took too long";
      if (begun.empty() && !ended.timed_out)
        why = fmt::format("its process ended before {} change, {}", tried.empty() ? "the first" : "another",
                          ended.status > 128 ? fmt::format("by signal {}", ended.status - 128)
                                             : fmt::format("with status {}", ended.status));
    } catch (const Error& failed) {
      why = "its process could not be started: " + failed.message().english();
      break;
    }
    if (begun.empty()) break;
    worked += processor_seconds_of_children() - worked_before - beside;
    skip += fmt::format("{}{},tried {},spent {:.2f} {:.2f}", skip.empty() ? "" : ",", begun, tried.size(), worked,
                        seconds_since(start_of_all));
  }
  if (so_far.repairs.empty()) so_far.unsearched.push_back("the search for a repair ended early: " + why);
  return so_far;
}

Repaired search_repair_apart(bool thorough, const std::string& signal,
                             const std::function<bool(std::uint64_t tried)>& go_on) {
  std::vector<std::string> words = command_line;
  if (!signal.empty()) words.insert(words.end(), {"--signal", signal});
  return searched_by({own_program}, words, thorough, go_on);
}

Repaired search_repair_apart(const Request& request, const std::string& runtime, int device,
                             const std::function<bool(std::uint64_t tried)>& go_on) {
  std::vector<std::string> words;
  std::optional<TemporaryFolder> folder;
  if (!request.edited.empty()) {
    folder.emplace();
    const std::filesystem::path file = folder->path() / "edits.json";
    twiddle::write_file(file, json_text(nlohmann::json(request.edited)));
    words.push_back(std::string(edits_mark) + file.string());
  }
  words.insert(words.end(),
               {"check", request.algorithm, "--repair", "--runtime", runtime, "--device", std::to_string(device)});
  for (const auto& [name, value] : given_parameters(request)) {
    words.push_back("--" + name);
    if (name != "inverse") words.push_back(value);
  }
  return searched_by({own_program}, words, true, go_on);
}

}  // namespace twiddle::cli
