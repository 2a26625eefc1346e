// What `trace`, `demo`, `view` and `verify` have in common: running a plan with the log attached, into a file.
#pragma once

#include "base/temporary_folder.h"
#include "cli/options.h"
#include "kernels/plan/plan.h"
#include "tracer/run/tracer.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace twiddle::cli {

/// The outcome of a traced run.
struct TracedRun {
  TraceOutcome outcome;
  DeviceInfo device;
  std::uint64_t launches = 0;
  std::filesystem::path file;  // an interrupted trace is written beside it and keeps what was there
  std::uint64_t file_bytes = 0;
};

/// The runtime and device that the options ask for, with their time limit; the host runs in the `schedule`-th of the orders
/// that were asked for. What "auto" means may depend on the plan that will run. Throws Error.
std::unique_ptr<Runtime> requested_runtime(const RunOptions& options, const Plan* plan = nullptr,
                                           std::size_t schedule = 0);

/// Runs and traces into `file`, with a progress bar on a terminal. Ctrl-C finishes the transaction, keeps the file, marked
/// incomplete, and shows in `outcome.cancelled`. Throws Error; then nothing new is left behind.
TracedRun trace_to_file(const Plan& plan, const RunOptions& options, const std::filesystem::path& file);

/// The same for callers that show progress and cancel themselves (the window).
TracedRun trace_to_file(const Plan& plan, const RunOptions& options, const std::filesystem::path& file,
                        const Progress& progress);

/// Does something under each order that was asked for (once where none was). The message of a kernel's fault names the order that
/// showed it. Throws what `action` throws, and Interrupted after Ctrl-C.
void in_every_order(const RunOptions& options, const std::function<void(std::size_t order)>& action);

/// Runs the plan without a log in every order, and compares what each leaves behind with what the first does: a sentence on
/// the first element that differs, or nothing.
std::string difference_between_orders(const Plan& plan, const RunOptions& options);

/// The file of `subject`, a trace; an algorithm or a plan is traced first, into `folder`, which is made then. What was noted on
/// the way is printed. Throws Interrupted, with `interrupted`, after Ctrl-C.
std::filesystem::path trace_of(const RunOptions& options, const std::string& subject,
                               std::optional<TemporaryFolder>& folder, const char* interrupted);

/// Throws Error (usage) when several orders were asked for and `verb` has use for one.
void need_one_schedule(const RunOptions& options, std::string_view verb);

/// The plan that the options ask for. A trace file given in its place is a usage error that says so.
Plan requested_plan(const RunOptions& options);

/// "fft-radix2-n8.twd", "fft2d-64x64.twd", "mine.twd": the file that `trace` writes when none is named.
std::string default_trace_name(const Plan& plan);

/// Throws Error (usage) where a trace cannot be written, and where there is something that is no trace: only a trace is replaced.
void refuse_to_replace(const std::filesystem::path& file);

/// What a plan says of a parameter; empty where it has none of that name.
std::string parameter_of(const Plan& plan, const std::string& name);

/// "operations saved: 40.714 % counted, …" of a plan that packs real points, as a line; of others, nothing.
std::string savings_line(const Plan& plan);

/// "opencl, pthread-cpu (PoCL 3.1)": a device in a few words.
std::string device_text(const DeviceInfo& device);

}  // namespace twiddle::cli
