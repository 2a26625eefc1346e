// "Drag a sample until the spectrum fits": where the samples begin, and the spectrum of a run that they are to be brought to.
#pragma once

#include "lessons/run/lesson_run.h"
#include "viewer/facts/spectrum_goal.h"

#include <complex>
#include <string>
#include <vector>

namespace twiddle {

struct SpectrumTask {
  std::string input, output;          // the buffers' names: x, X
  std::vector<double> start, answer;  // samples of the step's run; samples that have what is asked for
  SpectrumGoal goal;
};

/// Samples of such a question: each of them is a handle.
inline constexpr std::size_t min_task_samples = 4, max_task_samples = 16;

/// The question's target is a signal, which the step's run is made with once more: its magnitudes are the goal. Throws Error
/// (usage) where the run is not the transform of a few real samples, its samples fit already, or handles cannot reach the goal.
SpectrumTask spectrum_task(const QuestionSpec& spec, LessonRun& run, LessonRuns& runs);

/// The transform by its definition, in double precision: as pages compute it, which run no kernel.
std::vector<std::complex<double>> defined_transform(const std::vector<double>& samples);

}  // namespace twiddle
