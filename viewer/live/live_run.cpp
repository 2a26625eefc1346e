#include "viewer/live/live_run.h"

#include "base/error.h"
#include "base/message.h"
#include "base/write_file.h"
#include "tracer/host/host_runtime.h"
#include "tracer/run/tracer.h"
#include "tracer/store/memory_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

namespace twiddle {
namespace {

// Longer than anyone drags: a kernel that does not end is given up.
constexpr double max_seconds = 10;

}  // namespace

std::vector<std::complex<double>> numbers_in(const Plan& plan, const std::vector<std::vector<std::byte>>& buffers,
                                             const std::string& name) {
  std::vector<std::complex<double>> numbers;
  for (std::size_t b = 0; b < std::min(buffers.size(), plan.buffers.size()); ++b) {
    if (plan.buffers[b].name != name) continue;
    const ElementType type = plan.buffers[b].type;
    const std::size_t size = traits(type).bytes;
    for (std::size_t at = 0; at + size <= buffers[b].size(); at += size)
      numbers.emplace_back(component(type, buffers[b].data() + at, 0),
                           traits(type).components > 1 ? component(type, buffers[b].data() + at, 1) : 0);
  }
  return numbers;
}

std::string samples_csv(const LiveSamples& samples) {
  std::string text;
  for (const std::complex<double>& sample : samples)
    text += fmt::format("{:.17g},{:.17g}\n", sample.real(), sample.imag());
  return text;
}

LivePlan::LivePlan(const Request& request, const std::string& input)
    : plan_(make_plan(request)), folder_(ExitCode::usage, "the samples cannot be kept") {
  const Buffer* buffer = plan_.buffer_named(input);
  if (!buffer || buffer->content.kind != Content::Kind::Signal || !buffer->content.signal.empty())
    throw usage_error("no buffer of {} takes a signal, so no sample can be changed", plan_.algorithm);
  runtime_ = open_repeating_host_runtime();
  runtime_->limit_time(max_seconds, max_seconds);
}

void LivePlan::take(const LiveSamples& samples) {
  const std::filesystem::path file = folder_.path() / "drawn-0.csv";
  write_file(file, samples_csv(samples));
  plan_.signal = file.string();
}

std::shared_ptr<const TraceSource> LivePlan::trace(const LiveSamples& samples) {
  take(samples);
  MemoryTrace trace;
  TraceOptions options;
  options.accesses = Accesses::None;
  trace_plan(plan_, *runtime_, options, trace);
  return trace.finish();
}

std::vector<std::vector<std::byte>> LivePlan::result(const LiveSamples& samples) {
  take(samples);
  return run_plan(plan_, *runtime_).buffers;
}

LiveRun::LiveRun(Request request, std::string input, std::function<void()> wake)
    : wake_(std::move(wake)),
      thread_([this, asked = std::move(request), name = std::move(input)] { work(asked, name); }) {}

LiveRun::~LiveRun() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  asked_.notify_all();
  thread_.join();
}

void LiveRun::ask(LiveSamples samples, bool logged) {
  {
    const std::lock_guard lock(mutex_);
    question_ = Question{std::move(samples), logged};
  }
  asked_.notify_all();
}

std::optional<LiveRun::Answer> LiveRun::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(answer_, std::nullopt);
}

bool LiveRun::busy() const {
  const std::lock_guard lock(mutex_);
  return running_ || question_ || answer_;
}

void LiveRun::work(const Request& request, const std::string& input) {
  std::unique_ptr<LivePlan> plan;
  for (;;) {
    Question question;
    {
      std::unique_lock lock(mutex_);
      asked_.wait(lock, [&] { return ending_ || question_; });
      if (ending_) return;
      question = *std::exchange(question_, std::nullopt);
      running_ = true;
    }
    Answer answer;
    answer.samples = question.samples;
    try {
      if (!plan) plan = std::make_unique<LivePlan>(request, input);
      if (question.logged) {
        answer.trace = plan->trace(question.samples);
      } else {
        answer.result = numbers_in(plan->plan(), plan->result(question.samples), plan->plan().expect.output);
      }
    } catch (const std::exception& error) { answer.error = message_of(error); }
    {
      const std::lock_guard lock(mutex_);
      answer_ = std::move(answer);
      running_ = false;
    }
    wake_();
  }
}

}  // namespace twiddle
