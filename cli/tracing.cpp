#include "cli/tracing.h"

#include "base/error.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "tracer/file/trace_file.h"
#include "tracer/runtimes/open_runtime.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <system_error>
#include <utility>

namespace fs = std::filesystem;

namespace twiddle::cli {

std::unique_ptr<Runtime> requested_runtime(const RunOptions& options, std::size_t schedule) {
  std::optional<HostOptions> host;
  if (!options.schedules.empty() || options.threads > 0) {
    host.emplace();
    if (!options.schedules.empty()) host->schedule = options.schedules.at(schedule);
    if (options.threads > 0) host->threads = options.threads;
  }
  std::unique_ptr<Runtime> runtime = open_runtime(options.runtime, options.device, host);
  static bool printed = false;  // several orders are as many runtimes
  if (!std::exchange(printed, true))
    for (const std::string& sentence : devices_left_out()) print_line("left out: {}", sentence);
  if (options.timeout)
    runtime->limit_time(static_cast<double>(*options.timeout), static_cast<double>(*options.timeout));
  else
    runtime->limit_time(default_timeout, runtime->item_limit());
  return runtime;
}

void need_one_schedule(const RunOptions& options, std::string_view verb) {
  if (options.schedules.size() > 1)
    throw usage_error("twiddle {} takes one order, and --schedule names {}; trace and verify take several", verb,
                      options.schedules.size());
}

TracedRun trace_to_file(const Plan& plan, const RunOptions& options, const fs::path& file) {
  InterruptGuard guard;
  ProgressBar bar;
  return trace_to_file(plan, options, file, [&](double fraction, const Message& what) {
    bar.show(fraction, what.english());
    return !InterruptGuard::asked();
  });
}

TracedRun trace_to_file(const Plan& plan, const RunOptions& options, const fs::path& file, const Progress& progress) {
  TracedRun run;
  const std::unique_ptr<Runtime> runtime = requested_runtime(options);
  run.device = runtime->device();
  run.launches = plan.launches.size();
  TraceWriter writer(file);
  run.outcome = trace_plan(plan, *runtime, options.trace, writer, progress);
  if (run.outcome.cancelled || run.outcome.stopped)
    writer.interrupt();
  else
    writer.finish();
  run.file = writer.path();
  std::error_code ignored;
  run.file_bytes = fs::file_size(run.file, ignored);
  return run;
}

Plan requested_plan(const RunOptions& options) {
  const std::string& what = options.request.algorithm;
  if (fs::path(what).extension() == ".twd")
    throw usage_error("{0} is a trace, not an algorithm; twiddle view {0} shows it", what);
  Plan plan = make_plan(options.request);
  if (!options.schedules.empty()) plan.parameters["schedule"] = to_string(options.schedules.front());
  return plan;
}

std::string savings_line(const Plan& plan) {
  const auto found = plan.parameters.find("operations-saved");
  return found == plan.parameters.end() ? "" : fmt::format("operations saved: {}\n", found->second);
}

std::string default_trace_name(const Plan& plan) {
  std::string name = plan.algorithm;
  if (fs::path(name).extension() == ".toml") name = fs::path(name).stem().string();
  std::replace(name.begin(), name.end(), '/', '-');
  const auto parameter = [&](const char* key) {
    const auto found = plan.parameters.find(key);
    return found == plan.parameters.end() ? std::string() : found->second;
  };
  if (const std::string rows = parameter("rows"), columns = parameter("cols"); !rows.empty() && !columns.empty())
    name += "-" + rows + "x" + columns;
  else if (const std::string n = parameter("n"); !n.empty())
    name += "-n" + n;
  return (name.empty() ? "trace" : name) + ".twd";
}

std::string device_text(const DeviceInfo& device) {
  std::string text = device.runtime + ", " + device.name;
  if (!device.platform.empty()) text += " (" + device.platform + ")";
  return text;
}

// A mistyped name must not overwrite a kernel source or notes.
void refuse_to_replace(const fs::path& file) {
  std::error_code failed;
  if (fs::is_directory(file, failed)) throw usage_error("{} is a folder; name a file in it with -o", file.string());
  if (!fs::exists(file, failed)) return;
  if (!fs::is_regular_file(file, failed))
    throw usage_error("{} is no ordinary file, and a trace needs one; name another with -o", file.string());
  std::ifstream in(file, std::ios::binary);
  char head[16] = {};
  in.read(head, sizeof head);
  constexpr std::string_view sqlite("SQLite format 3\0", 16);
  if (in.gcount() != 0 && std::string_view(head, static_cast<std::size_t>(in.gcount())) != sqlite)
    throw usage_error("{} is there already and is no trace, so it is left alone; name another file with -o",
                      file.string());
}

}  // namespace twiddle::cli
