#include "cli/export/exports.h"

#include "base/error.h"
#include "cli/tracing.h"
#include "tracer/file/trace_file.h"
#include "tracer/replay/plan_of.h"
#include "tracer/replay/replay.h"

namespace twiddle::cli {
namespace {

std::size_t expected_buffer(const Plan& plan, const std::string& name, const std::string& subject) {
  const Buffer* buffer = plan.buffer_named(name);
  if (!buffer) throw usage_error("{} expects its outcome in a buffer '{}' that it does not have", subject, name);
  return static_cast<std::size_t>(buffer - plan.buffers.data());
}

void need_expectation(const Plan& plan, const std::string& subject) {
  if (plan.expect.transform == Expect::Transform::None)
    throw usage_error("{} does not say what its outcome should be; give the plan an [expect] table", subject);
}

EndResult run_here(const RunOptions& options, const std::string& subject, const RunSettings& how) {
  RunOptions run = options;
  run.request.algorithm = subject;
  EndResult result;
  result.plan = requested_plan(run);
  if (!options.schedules.empty()) result.plan.parameters["schedule"] = to_string(options.schedules.at(how.order));
  const Plan& plan = result.plan;
  need_expectation(plan, subject);
  const std::size_t output = expected_buffer(plan, plan.expect.output, subject);
  const std::unique_ptr<Runtime> runtime = requested_runtime(options, &plan, how.order);
  RunOutcome outcome = how.traced ? run_traced_plan(plan, *runtime, options.trace) : run_plan(plan, *runtime);
  result.runtime = runtime->device().runtime;
  result.device = runtime->device().name;
  result.output = outcome.buffers[output];
  result.contents.first = [plan](std::size_t buffer) { return first_content(plan, plan.buffers[buffer]); };
  result.contents.last = [buffers = std::move(outcome.buffers)](std::size_t buffer) { return buffers[buffer]; };
  result.notes = std::move(outcome.notes);
  result.faults = std::move(outcome.faults);
  return result;
}

EndResult end_of_trace(const std::string& file) {
  const auto trace = TraceReader::open(file);
  const TraceInfo& info = trace->info();
  if (!info.complete)
    throw usage_error("{} was interrupted, so its outcome is not known; trace it again to the end", file);
  EndResult result;
  result.plan = plan_of(info);
  need_expectation(result.plan, file);
  const auto output = static_cast<int>(expected_buffer(result.plan, result.plan.expect.output, file));
  result.runtime = info.runtime;
  result.device = info.device;
  for (const LaunchInfo& launch : info.launches)
    for (const Fault& fault : launch.faults) result.faults.push_back(fault.text());
  Replay replay(trace);
  const auto last = replay.state_after(static_cast<int>(info.segments.size()) - 1);
  result.output = last->bytes(output);
  result.contents.first = [trace](std::size_t buffer) { return trace->first_content(static_cast<int>(buffer)); };
  result.contents.last = [last](std::size_t buffer) { return last->bytes(static_cast<int>(buffer)); };
  return result;
}

}  // namespace

std::vector<std::complex<double>> EndResult::values() const {
  const Buffer& buffer = output_buffer();
  const ElementTraits& make = traits(buffer.type);
  std::vector<std::complex<double>> values(output.size() / make.bytes);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::byte* element = output.data() + i * make.bytes;
    values[i] = {component(buffer.type, element, 0), make.components == 2 ? component(buffer.type, element, 1) : 0};
  }
  return values;
}

EndResult end_result(const RunOptions& options, const std::string& subject, const RunSettings& how) {
  return names_trace(subject) ? end_of_trace(subject) : run_here(options, subject, how);
}

}  // namespace twiddle::cli
