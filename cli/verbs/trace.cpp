// `twiddle trace`: run an algorithm on a device and keep what every work-item did.
#include "base/error.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/tracing.h"
#include "cli/verbs.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace fs = std::filesystem;

namespace twiddle::cli {
namespace {

struct TraceOptions : RunOptions {
  std::string output;
};

std::string summary(const Plan& plan, const TracedRun& run, const fs::path& file) {
  const TraceOutcome& outcome = run.outcome;
  const double each = outcome.operations ? 1.0 / static_cast<double>(outcome.operations) : 0;
  std::string text;
  const auto row = [&](const char* name, const std::string& value) { text += fmt::format("{:<12}{}\n", name, value); };
  row("traced", plan.title.empty() ? plan.algorithm : fmt::format("{} ({})", plan.algorithm, plan.title));
  row("device", device_text(run.device));
  row("launches", grouped(run.launches));
  row("operations", fmt::format("{} kept, {} lost", grouped(outcome.operations), grouped(outcome.lost)));
  row("log", fmt::format("{} on the device, {:.1f} bytes an operation", bytes_text(outcome.device_bytes),
                         static_cast<double>(outcome.device_bytes) * each));
  row("time", fmt::format("{:.3f} ms on the device while traced, {:.3f} ms to encode and write",
                          outcome.kernel_ns / 1e6, outcome.encode_ns / 1e6));
  row("file", fmt::format("{}: {}, {:.2f} bytes an operation", file.string(), bytes_text(run.file_bytes),
                          static_cast<double>(run.file_bytes) * each));
  return text;
}

int trace(const TraceOptions& options) {
  const Plan plan = requested_plan(options);
  const fs::path file = options.output.empty() ? default_trace_name(plan) : options.output;
  refuse_to_replace(file);
  const TracedRun run = trace_to_file(plan, options, file);
  for (const Message& note : run.outcome.notes) print_line("{}", note);
  if (run.outcome.cancelled)
    throw Interrupted(fmt::format("interrupted: {} holds the {} traced so far, marked incomplete", run.file.string(),
                                  counted(run.outcome.operations, "operation", "operations")));
  print(summary(plan, run, file) + savings_line(plan));
  if (run.outcome.lost > 0)
    print_line("{} could not be kept; narrow the trace with --stages, --items or --buffers, or raise --window-bytes",
               counted(run.outcome.lost, "operation", "operations"));
  // Where a kernel was stopped, the file holds what was logged until then, marked incomplete.
  for (const Message& fault : run.outcome.faults) print_line("{}", fault);
  if (!run.outcome.faults.empty()) return static_cast<int>(ExitCode::findings);
  if (options.schedules.size() < 2) return 0;

  // The file holds the run in the first order; the others show whether the outcome depends on the order.
  const std::string difference = difference_between_orders(plan, options);
  if (difference.empty()) {
    print(fmt::format("{:<12}the outcome is the same in all {}\n", "orders", options.schedules.size()));
    return 0;
  }
  print_line("the outcome depends on the order of the work-items: {}; trace both and compare them with twiddle diff",
             difference);
  return static_cast<int>(ExitCode::findings);
}

}  // namespace

void add_trace(Program& program) {
  const auto options = std::make_shared<TraceOptions>();
  CLI::App& verb = program.verb("trace", "Run an algorithm on a device and log what every work-item did",
                                "Without -o the trace goes to ALGORITHM-nN.twd in the current folder. Ctrl-C ends a "
                                "long run early: what was logged "
                                "so far stays in the file, marked incomplete, and the exit code is 130.",
                                [options] { return trace(*options); });
  program.complete(add_text(verb, "ALGORITHM", "", "an id of twiddle list, gallery/ID, or a plan file (.toml)",
                            options->request.algorithm)
                       ->required(),
                   algorithm_completion());
  add_tracing_options(program, verb, *options);
  program.complete(add_text(verb, "-o,--output", "FILE.twd", "the trace file to write", options->output),
                   trace_completion());
  program.example(verb, "twiddle trace fft-radix2 --n 8 --signal ramp -o fft8.twd",
                  "Trace an 8-point FFT of 0, 1, … 7");
  program.example(verb, "twiddle trace fft-radix2 --n 1048576 --signal random:1 --stages 19:20",
                  "Keep the last two stages of a large one");
  program.example(verb, "twiddle trace mine.toml", "Trace a kernel of your own");
  program.example(verb, "twiddle trace mine.toml --runtime host --schedule random:1-20",
                  "See whether the order of its work-items matters");
}

}  // namespace twiddle::cli
