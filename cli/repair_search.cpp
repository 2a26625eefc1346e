#include "cli/repair_search.h"

#include "base/error.h"
#include "base/process.h"
#include "cli/tracing.h"
#include "tracer/repair/trial.h"

#include <fmt/format.h>

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <set>
#include <string_view>

namespace twiddle::cli {
namespace {

constexpr std::string_view mark = "--search-repair=";
constexpr double thorough_seconds = 40, unasked_seconds = 10;  // of processor time, for trials
constexpr double clock_times = 6;                              // times as many by the clock, of all processes together
constexpr int restarts = 12;

std::vector<std::string> command_line;
std::optional<std::string> skipped;  // of a process that searches: batches, separated by ","

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find(',', from), text.size());
    parts.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  return parts;
}

// Whether the progress is that of a change, and not that of a check of what was found.
bool is_trial(const std::string& event) {
  return !event.starts_with("right ") && !event.starts_with("check ") && !event.starts_with("compile ") &&
         !event.starts_with("order ");
}

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

}  // namespace

void remember_command_line(int& count, char** arguments) {
  for (int k = 1; k < count; ++k) {
    if (!skipped && std::string_view(arguments[k]).starts_with(mark)) {
      skipped = std::string(std::string_view(arguments[k]).substr(mark.size()));
      for (int i = k; i + 1 < count; ++i) arguments[i] = arguments[i + 1];
      --count;
      --k;
      // PoCL's device without threads of its own: trials run in copies of this process.
      ::setenv("POCL_DEVICES", "basic", 0);
      continue;
    }
    command_line.emplace_back(arguments[k]);
  }
}

bool searching_repair() { return skipped.has_value(); }

void search_repair_here(const Plan& plan, const RunOptions& options, bool thorough) {
  give_stack();
  Repaired repaired;
  try {
    const std::unique_ptr<Runtime> runtime = requested_runtime(options, &plan);
    runtime->limit_time(10, 2);
    RepairOptions how;
    const DeviceInfo& device = runtime->device();
    how.forks =
        device.runtime == "opencl" && device.kind == "cpu" && getenv("POCL_DEVICES") == std::string_view("basic");
    how.seconds = thorough ? thorough_seconds : unasked_seconds;
    if (!thorough) how.max_item_runs >>= 3;
    how.resume = split(*skipped);
    how.progress = [](const std::string& event) { put(event + "\n"); };
    repaired = search_repair(plan, *runtime, how);
  } catch (const DeviceLost&) { std::_Exit(3); } catch (const std::exception& failed) {
    repaired.unsearched.push_back(std::string("no repair was searched: ") + failed.what());
  }
  put("found " + to_json(repaired) + "\n");
  std::_Exit(0);
}

Repaired search_repair_apart(bool thorough, const std::function<bool()>& go_on) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(
                                      clock_times * (thorough ? thorough_seconds : unasked_seconds)));
  std::string skip;
  std::set<std::string> tried;  // by all processes
  for (int start = 0; start < restarts; ++start) {
    const double left = std::chrono::duration<double>(end - Clock::now()).count();
    if (left < 1) break;
    std::vector<std::string> arguments{"/proc/self/exe", std::string(mark) + skip};
    arguments.insert(arguments.end(), command_line.begin(), command_line.end());
    std::string begun;
    try {
      const ProcessResult result = run_process(arguments, left, {}, go_on);
      for (std::size_t from = 0; from < result.output.size();) {
        const std::size_t newline = std::min(result.output.find('\n', from), result.output.size());
        const std::string line = result.output.substr(from, newline - from);
        from = newline + 1;
        if (line.starts_with("found ")) return repaired_from_json(line.substr(6));
        const bool kept = line.starts_with("right ") || line.starts_with("order ");
        if (!kept) begun = line;
        if (is_trial(line)) tried.insert(line);
        if (kept) skip += (skip.empty() ? "" : ",") + line;
      }
      if (go_on && !go_on()) return {};
    } catch (const Error&) { break; }
    if (begun.empty()) break;
    skip += fmt::format("{}{},tried {}", skip.empty() ? "" : ",", begun, tried.size());
  }
  Repaired none;
  none.unsearched.emplace_back(
      "the search for a repair ended early: it took too long, or changed kernels ended the processes that ran them");
  return none;
}

}  // namespace twiddle::cli
