#include "lessons/run/spectrum_task.h"

#include "kernels/plan/expect.h"
#include "viewer/document/document.h"
#include "viewer/facts/live_signal.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace twiddle {
namespace {

constexpr double page_agrees = 1e-3;  // of the largest magnitude: single precision is far below it

// The samples of a run and the magnitudes that came of them.
struct Transformed {
  std::vector<double> samples, magnitudes;
};

Transformed transformed(LessonRun& run, int input, int output) {
  Document& document = run.document();
  Transformed made;
  for (const std::complex<double>& sample : numbers_of(document, input, -1)) {
    if (sample.imag() != 0) throw usage_error("samples that are dragged are real; those of this signal are not");
    made.samples.push_back(sample.real());
  }
  made.magnitudes = magnitudes_of(numbers_of(document, output, static_cast<int>(document.info().segments.size()) - 1));
  return made;
}

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

// What a page computes of the samples is what the kernel did.
void hold_to_definition(const Transformed& made) {
  const std::vector<double> defined = magnitudes_of(defined_transform(made.samples));
  const double bound = page_agrees * std::max(largest(defined), 1e-6);
  for (std::size_t k = 0; k < defined.size(); ++k)
    if (k >= made.magnitudes.size() || !(std::abs(defined[k] - made.magnitudes[k]) <= bound))
      throw usage_error("this run's outcome is not the discrete Fourier transform of its samples");
}

}  // namespace

std::vector<std::complex<double>> defined_transform(const std::vector<double>& samples) {
  const std::size_t count = samples.size();
  std::vector<std::complex<double>> bins(count);
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t j = 0; j < count; ++j)
      bins[k] += samples[j] * std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(j * k % count) /
                                                  static_cast<double>(count));
  return bins;
}

SpectrumTask spectrum_task(const QuestionSpec& spec, LessonRun& run, LessonRuns& runs) {
  if (spec.target.empty())
    throw usage_error("a question 'spectrum' needs target = \"…\": the signal that is looked for");
  const TraceInfo& info = run.info();
  const int input = live_buffer(info), output = info.buffer_named(info.expect.output);
  const auto count = input < 0 ? 0 : static_cast<std::size_t>(info.buffers[static_cast<std::size_t>(input)].count);
  if (input < 0 || output < 0 || !traits(info.expect.transform).fourier || count < min_task_samples ||
      count > max_task_samples)
    throw usage_error("samples are dragged in a transform of {} to {} of them", min_task_samples, max_task_samples);
  Request request = run.request();
  request.signal = spec.target;
  const Transformed start = transformed(run, input, output), target = transformed(runs.run(request), input, output);
  hold_to_definition(start);
  hold_to_definition(target);

  SpectrumTask task;
  task.input = info.buffers[static_cast<std::size_t>(input)].name;
  task.output = info.buffers[static_cast<std::size_t>(output)].name;
  task.start = start.samples, task.answer = target.samples;
  task.goal.wanted = target.magnitudes;
  task.goal.within = (spec.within > 0 ? spec.within : 10) / 100.0 * largest(target.magnitudes);
  const double reach = std::max({1.0, largest(start.samples), largest(target.samples)});
  task.goal.high = std::ceil(1.25 * reach / sample_step) * sample_step;
  task.goal.low = -task.goal.high;
  if (!(task.goal.within > 0)) throw usage_error("the spectrum of '{}' is empty: there is nothing to fit", spec.target);
  if (!miss_of(task.goal, start.magnitudes))
    throw usage_error("the samples have the spectrum of '{}' already", spec.target);
  std::vector<double> by_hand = target.samples;
  for (double& sample : by_hand) sample = std::round(sample / sample_step) * sample_step;
  if (miss_of(task.goal, magnitudes_of(defined_transform(by_hand))))
    throw usage_error("handles that move by {} do not reach the spectrum of '{}'; allow more with within = …",
                      sample_step, spec.target);
  return task;
}

}  // namespace twiddle
