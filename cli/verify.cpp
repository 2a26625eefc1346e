// `twiddle verify`: how far an outcome is from the double-precision reference.
#include "base/error.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/tracing.h"
#include "cli/verbs.h"
#include "kernels/reference.h"
#include "tracer/replay.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <charconv>

namespace twiddle::cli {
namespace {

using nlohmann::ordered_json;

struct Options : RunOptions {
  std::vector<std::string> subjects;
  bool json = false;
};

struct Checked {
  std::string algorithm, runtime, device;
  std::uint64_t n = 0;
  Verdict verdict;
};

int expected_buffer(const std::vector<Buffer>& buffers, const std::string& name, const std::string& subject) {
  for (std::size_t i = 0; i < buffers.size(); ++i)
    if (buffers[i].name == name) return static_cast<int>(i);
  throw usage_error("{} expects its outcome in a buffer '{}' that it does not have", subject, name);
}

// The size that was asked for: n, or rows times columns, or what the output holds.
std::uint64_t size_of(const Plan& plan) {
  const auto number = [&](const char* key) -> std::uint64_t {
    const auto found = plan.parameters.find(key);
    if (found == plan.parameters.end()) return 0;
    std::uint64_t value = 0;
    std::from_chars(found->second.data(), found->second.data() + found->second.size(), value);
    return value;
  };
  if (const std::uint64_t n = number("n")) return n;
  if (const std::uint64_t both = number("rows") * number("cols")) return both;
  if (plan.expect.points) return plan.expect.points;
  const Buffer* input = plan.buffer_named(plan.expect.input);
  return input ? input->count : 0;
}

void need_expectation(const Plan& plan, const std::string& subject) {
  if (plan.expect.transform == Expect::Transform::None)
    throw usage_error("{} does not say what its outcome should be; give the plan an [expect] table", subject);
}

Checked verify_run(const Options& options, const std::string& subject) {
  RunOptions run = static_cast<const RunOptions&>(options);  // what to run, without what verify adds to it
  run.request.algorithm = subject;
  const Plan plan = requested_plan(run);
  need_expectation(plan, subject);
  const auto input = static_cast<std::size_t>(expected_buffer(plan.buffers, plan.expect.input, subject));
  const auto output = static_cast<std::size_t>(expected_buffer(plan.buffers, plan.expect.output, subject));
  const std::unique_ptr<Runtime> runtime = requested_runtime(options);
  const std::vector<std::byte> first = first_content(plan, plan.buffers[input]);
  const RunOutcome outcome = run_plan(plan, *runtime);
  const DeviceInfo& device = runtime->device();
  return {plan.algorithm, device.runtime, device.name, size_of(plan), verify(plan, first, outcome.buffers[output])};
}

// What the trace knows of the plan that it came from: enough to verify by.
Plan plan_of(const TraceInfo& info) {
  Plan plan;
  plan.title = info.title;
  plan.algorithm = info.algorithm;
  plan.parameters = info.parameters;
  plan.signal = info.signal;
  plan.expect = info.expect;
  for (const BufferInfo& buffer : info.buffers)
    if (buffer.launch == 0)
      plan.buffers.push_back({buffer.name, buffer.type, buffer.count, buffer.shape, buffer.space, {}});
  return plan;
}

Checked verify_trace(const std::string& file) {
  const auto trace = TraceReader::open(file);
  const TraceInfo& info = trace->info();
  if (!info.complete)
    throw usage_error("{} was interrupted, so its outcome is not known; trace it again to the end", file);
  const Plan plan = plan_of(info);
  need_expectation(plan, file);
  const int input = expected_buffer(plan.buffers, plan.expect.input, file);
  const int output = expected_buffer(plan.buffers, plan.expect.output, file);
  Replay replay(trace);
  const auto end = replay.state_after(static_cast<int>(info.segments.size()) - 1);
  return {info.algorithm, info.runtime, info.device, size_of(plan),
          verify(plan, trace->first_content(input), end->bytes(output))};
}

ordered_json to_json(const Checked& checked) {
  return {{"algorithm", checked.algorithm},
          {"runtime", checked.runtime},
          {"device", checked.device},
          {"n", checked.n},
          {"relative_l2", checked.verdict.relative_l2},
          {"bound", checked.verdict.bound},
          {"pass", checked.verdict.pass}};
}

int verify_all(const Options& options) {
  ordered_json list = ordered_json::array();
  bool good = true;
  for (const std::string& subject : options.subjects) {
    const Checked checked = names_trace(subject) ? verify_trace(subject) : verify_run(options, subject);
    good = good && checked.verdict.pass;
    list.push_back(to_json(checked));
    if (options.json) continue;
    const Verdict& verdict = checked.verdict;
    print(fmt::format("{} n={} on {} ({}): relative L2 error {:.3g}, bound {:.3g}: {}\n", checked.algorithm, checked.n,
                      checked.runtime, checked.device, verdict.relative_l2, verdict.bound,
                      verdict.pass ? "good" : "over the bound"));
    if (!verdict.reason.empty()) print("    " + folded(verdict.reason, 4, 4));
  }
  if (options.json)
    print((options.subjects.size() == 1 ? list.front() : list)
              .dump(-1, ' ', false, ordered_json::error_handler_t::replace) +
          "\n");
  return good ? 0 : static_cast<int>(ExitCode::findings);
}

}  // namespace

void add_verify(Program& program) {
  const auto options = std::make_shared<Options>();
  CLI::App& verb =
      program.verb("verify", "Compare an algorithm's outcome, or a trace's, with a double-precision reference",
                   "Prints the relative L2 error, |outcome - reference| / |reference|; exit code 1 when it is over the "
                   "bound. An algorithm "
                   "is run without a log; of a trace, the end is compared.",
                   [options] { return verify_all(*options); });
  program.complete(verb.add_option("ALGORITHM|FILE", options->subjects, "ids, plan files (.toml) or traces (.twd)")
                       ->required()
                       ->type_name(""),
                   subject_completion());
  add_switch(verb, "--json", "as JSON (docs/json.md)", options->json);
  add_request_options(program, verb, options->request);
  add_runtime_options(program, verb, *options);
  add_keep_options(program, verb, options->trace);
  program.example(verb, "twiddle verify fft-radix2 --n 1048576 --signal random:1", "Run it and measure its error");
  program.example(verb, "twiddle verify fft8.twd --json", "Measure the error of a run that was traced");
}

}  // namespace twiddle::cli
