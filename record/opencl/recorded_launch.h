// A launch that runs by its twin, whose log goes into the recording.
#pragma once

#include "record/opencl/programs.h"
#include "record/opencl/recording.h"

#include <CL/cl.h>

#include <array>
#include <cstddef>
#include <set>

namespace twiddle::layer {

/// What the program asked for.
struct LaunchCall {
  cl_command_queue queue = nullptr;
  cl_kernel kernel = nullptr;
  cl_uint dimensions = 1;
  std::array<std::size_t, 3> offset{0, 0, 0}, global{1, 1, 1}, local{1, 1, 1};
  bool has_offset = false, has_local = false;
  cl_uint waits = 0;
  const cl_event* wait_list = nullptr;
  cl_event* event = nullptr;
};

/// Events that the program itself has to end. While there is one, nothing may wait: it could be for that event.
std::set<cl_event>& open_events();
/// That the program launched kernels in.
std::set<cl_command_queue>& queues();

/// Runs a launch by its kernel's twin and writes the log. False: it was not run, and the program's own kernel still has to be;
/// raw.reason says why.
bool run_recorded(Recording& recording, const LaunchCall& call, KernelRecord& kernel, RawLaunch& raw);

}  // namespace twiddle::layer
