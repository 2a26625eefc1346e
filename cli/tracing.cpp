#include "cli/tracing.h"

#include "base/error.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/plan_files.h"
#include "kernels/catalogue/catalogue.h"
#include "tracer/cuda/cuda_access_log.h"
#include "tracer/file/trace_file.h"
#include "tracer/runtime/kernel_fault.h"
#include "tracer/runtimes/open_runtime.h"
#include "tracer/trace/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>

namespace fs = std::filesystem;

namespace twiddle::cli {
namespace {

Value element_of(const std::vector<std::byte>& bytes, ElementType type, std::size_t index) {
  Value value;
  value.type = type;
  std::memcpy(value.bits.data(), bytes.data() + index * traits(type).bytes, traits(type).bytes);
  return value;
}

// "x[3] ends as 5 under forward and as 7 under reverse", of the first element that differs.
std::string difference(const Plan& plan, const RunOutcome& a, const std::string& order_a, const RunOutcome& b,
                       const std::string& order_b) {
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    const auto [at, ignored] = std::mismatch(a.buffers[i].begin(), a.buffers[i].end(), b.buffers[i].begin());
    if (at == a.buffers[i].end()) continue;
    const Buffer& buffer = plan.buffers[i];
    const std::size_t index = static_cast<std::size_t>(at - a.buffers[i].begin()) / traits(buffer.type).bytes;
    return fmt::format("{}[{}] ends as {} under {} and as {} under {}", buffer.name, index,
                       full_value_text(element_of(a.buffers[i], buffer.type, index)), order_a,
                       full_value_text(element_of(b.buffers[i], buffer.type, index)), order_b);
  }
  return {};
}

// Whether kernels of a user's own may be launched by CUDA, so that their accesses are wanted.
bool wants_cuda_accesses(const RunOptions& options, const Plan& plan) {
  const bool all = options.trace.accesses == Accesses::All;
  if (options.trace.accesses == Accesses::None || (!all && plan.directory.empty())) return false;
  if (options.runtime != "auto") return options.runtime == "cuda";
  return has_kernel_sources(plan, ".cu");
}

}  // namespace

std::unique_ptr<Runtime> requested_runtime(const RunOptions& options, const Plan* plan, std::size_t schedule) {
  std::optional<HostOptions> host;
  if (!options.schedules.empty() || options.threads > 0) {
    host.emplace();
    if (!options.schedules.empty()) host->schedule = options.schedules.at(schedule);
    if (options.threads > 0) host->threads = options.threads;
  }
  if (plan && !host && wants_cuda_accesses(options, *plan)) want_cuda_access_log();
  std::unique_ptr<Runtime> runtime =
      open_runtime(plan && !host ? runtime_for(*plan, options.runtime) : options.runtime, options.device, host);
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
    throw usage_error("twiddle {} takes one order, and --schedule names {}; trace, check and verify take several", verb,
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
  const std::unique_ptr<Runtime> runtime = requested_runtime(options, &plan);
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

fs::path trace_of(const RunOptions& options, const std::string& subject, std::optional<TemporaryFolder>& folder,
                  const char* interrupted) {
  if (names_trace(subject)) return subject;
  RunOptions run = options;
  run.request.algorithm = subject;
  const Plan plan = requested_plan(run);
  if (!folder) folder.emplace();
  fs::path file = folder->path() / default_trace_name(plan);
  if (std::error_code ignored; fs::exists(file, ignored))
    file = folder->path() / ("beside-" + file.filename().string());
  const TracedRun traced = trace_to_file(plan, run, file);
  for (const Message& note : traced.outcome.notes) print_line("{}", note);
  if (traced.outcome.cancelled) throw Interrupted(interrupted);
  return file;
}

void in_every_order(const RunOptions& options, const std::function<void(std::size_t order)>& action) {
  if (options.schedules.size() < 2) return action(0);
  const InterruptGuard guard;
  ProgressBar bar;
  const auto count = static_cast<double>(options.schedules.size());
  for (std::size_t order = 0; order < options.schedules.size(); ++order) {
    if (InterruptGuard::asked()) throw Interrupted("interrupted before every order was tried");
    bar.show(static_cast<double>(order) / count, to_string(options.schedules[order]));
    try {
      action(order);
    } catch (const KernelFault& fault) {
      throw Error(fault.code(), Message("under {}: {}", to_string(options.schedules[order]), fault.message()));
    }
  }
  bar.clear();
}

std::string difference_between_orders(const Plan& plan, const RunOptions& options) {
  std::optional<RunOutcome> first;
  std::string found;
  in_every_order(options, [&](std::size_t order) {
    if (!found.empty()) return;
    RunOutcome outcome = run_plan(plan, *requested_runtime(options, &plan, order));
    if (first)
      found = difference(plan, *first, to_string(options.schedules[0]), outcome, to_string(options.schedules[order]));
    else
      first = std::move(outcome);
  });
  return found;
}

Plan requested_plan(const RunOptions& options) {
  const std::string& what = options.request.algorithm;
  if (fs::path(what).extension() == ".twd")
    throw usage_error("{0} is a trace, not an algorithm; twiddle view {0} shows it", what);
  if (names_kernel(what)) {
    RunOptions with_plan = options;
    with_plan.request.algorithm = plan_for_kernel(what, "check");
    return requested_plan(with_plan);
  }
  Plan plan = make_plan(options.request);
  // Where a device may have too little for it, another rung runs.
  if (constexpr std::uint64_t any_device_has = std::uint64_t(16) << 10; plan.group_bytes > any_device_has) {
    Request request = options.request;
    request.local_bytes = requested_runtime(options, &plan)->device().local_bytes;
    plan = make_plan(request);
  }
  if (!options.schedules.empty()) plan.parameters["schedule"] = to_string(options.schedules.front());
  return plan;
}

std::string parameter_of(const Plan& plan, const std::string& name) {
  const auto found = plan.parameters.find(name);
  return found == plan.parameters.end() ? std::string() : found->second;
}

std::string savings_line(const Plan& plan) {
  const std::string saved = parameter_of(plan, "operations-saved");
  return saved.empty() ? "" : fmt::format("operations saved: {}\n", saved);
}

std::string default_trace_name(const Plan& plan) {
  std::string name = plan.algorithm;
  if (fs::path(name).extension() == ".toml") name = fs::path(name).stem().string();
  std::replace(name.begin(), name.end(), '/', '-');
  const std::string rows = parameter_of(plan, "rows"), columns = parameter_of(plan, "cols");
  if (!rows.empty() && !columns.empty())
    name += "-" + rows + "x" + columns;
  else if (const std::string n = parameter_of(plan, "n"); !n.empty())
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
  if (const fs::path folder = fs::absolute(file, failed).parent_path(); !fs::is_directory(folder, failed))
    throw usage_error("cannot write {}: there is no folder {}", file.string(), folder.string());
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
