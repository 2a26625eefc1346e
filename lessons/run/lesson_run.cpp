#include "lessons/run/lesson_run.h"

#include "base/error.h"
#include "base/paths.h"
#include "kernels/catalogue/reference.h"
#include "tracer/checks/check.h"
#include "tracer/file/trace_file.h"
#include "tracer/run/tracer.h"
#include "tracer/runtimes/open_runtime.h"
#include "viewer/document/document.h"

#include <fmt/format.h>

namespace twiddle {
namespace {

// A trace that was kept promises no outcome.
std::unique_ptr<LessonRun> kept(const Request& request) {
  std::shared_ptr<const TraceSource> trace = TraceReader::open(request.algorithm);
  const TraceInfo& info = trace->info();
  std::uint64_t elements = 0;
  for (const BufferInfo& buffer : info.buffers) elements += buffer.count;
  if (elements > max_kept_elements)
    throw usage_error("a lesson's trace is at most {} elements large; this one has {}", max_kept_elements, elements);
  if (info.steps > max_lesson_steps)
    throw usage_error("a lesson's run has at most {} operations; this one has {}", max_lesson_steps, info.steps);
  return std::make_unique<LessonRun>(request, Plan(), std::move(trace));
}

}  // namespace

LessonRun::LessonRun(Request request, Plan plan, std::shared_ptr<const TraceSource> trace)
    : request_(std::move(request)), plan_(std::move(plan)), trace_(std::move(trace)), replay_(trace_) {}

LessonRun::~LessonRun() = default;

Document& LessonRun::document() {
  if (!document_) document_ = std::make_unique<Document>(trace_);
  return *document_;
}

const std::vector<Finding>& LessonRun::findings() {
  if (!findings_) findings_ = std::make_shared<const std::vector<Finding>>(check_trace(replay_));
  return *findings_;
}

double LessonRun::relative_error() {
  if (plan_.expect.transform == Expect::Transform::None)
    throw usage_error("this run promises no outcome that could be compared");
  replay_.seek(info().steps);
  // A plan's buffers are the first of its trace's.
  const RunContents contents{[&](std::size_t b) { return trace_->first_content(static_cast<int>(b)); },
                             [&](std::size_t b) { return replay_.state().bytes(static_cast<int>(b)); }};
  return verify(plan_, contents).relative_l2;
}

std::string shown_command(Request request) {
  const std::string course = resource("").string();
  for (std::string* name : {&request.algorithm, &request.signal})
    if (name->starts_with(course)) name->erase(0, course.size());
  return command_of(request);
}

LessonRuns::LessonRuns(std::filesystem::path folder, std::string runtime, int device)
    : folder_(std::move(folder)), runtime_name_(std::move(runtime)), device_(device) {}

LessonRuns::~LessonRuns() = default;

LessonRun& LessonRuns::run(const Request& request) {
  std::unique_ptr<LessonRun>& run = runs_[command_of(request)];
  if (!run) run = names_kept_trace(request.algorithm) ? kept(request) : traced(request);
  return *run;
}

std::unique_ptr<LessonRun> LessonRuns::traced(const Request& request) {
  Plan plan = make_plan(request);
  std::uint64_t elements = 0;
  for (const Buffer& buffer : plan.buffers) elements += buffer.count;
  for (const Launch& launch : plan.launches) elements += launch.global[0] * launch.global[1] * launch.global[2];
  if (elements > max_lesson_elements)
    throw usage_error("a lesson's run is at most {} elements and work-items large; this one has {}",
                      max_lesson_elements, elements);
  if (!runtime_) runtime_ = open_runtime(runtime_name_, device_);
  const std::filesystem::path file = folder_ / fmt::format("run-{}.twd", runs_.size());
  TraceWriter writer(file);
  const TraceOutcome outcome = trace_plan(plan, *runtime_, {}, writer);
  if (outcome.operations > max_lesson_steps)
    throw usage_error("a lesson's run has at most {} operations; this one has {}", max_lesson_steps,
                      outcome.operations);
  writer.finish();
  std::shared_ptr<const TraceSource> trace = TraceReader::open(file);
  // Nothing was seen of a kernel without trace lines: the reason is worth more than that a position has no operation.
  for (const LaunchInfo& launch : trace->info().launches)
    if (trace->info().steps == 0 && !launch.accesses.reason.empty())
      throw Error(ExitCode::usage, launch.accesses.reason);
  return std::make_unique<LessonRun>(request, std::move(plan), std::move(trace));
}

}  // namespace twiddle
