// The runs of lessons that tests share, each made once.
#pragma once

#include "lessons/run/lesson_run.h"
#include "synthetic_trace.h"

namespace twiddle {

inline LessonRuns& lesson_runs() {
  static const synthetic::Folder folder;
  static LessonRuns all(folder / "", "opencl", 0);
  return all;
}

}  // namespace twiddle
