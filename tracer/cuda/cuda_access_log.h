// Accesses of this process' own launches on an NVIDIA GPU, logged by the library that records programs (record/cuda): the driver
// loads it when it starts.
#pragma once

#include "base/message.h"
#include "tracer/access/access.h"

#include <cstdint>
#include <vector>

namespace twiddle {

/// Has the driver load the recorder when this process starts it. Programs are compiled for it from then on, so that a bench,
/// which wants the kernels as they are, must not ask. Without effect once the driver runs.
void want_cuda_access_log();

/// Removes what was logged, before a process ends at once. Nothing can be logged from then on.
void drop_cuda_access_log();

namespace cuda {

/// Around the driver's start: what it has to find in the environment, where the recorder is wanted and can be had.
class RecorderAtStart {
 public:
  RecorderAtStart();
  ~RecorderAtStart();
  RecorderAtStart(const RecorderAtStart&) = delete;
  RecorderAtStart& operator=(const RecorderAtStart&) = delete;
};

/// Why launches cannot be logged, one sentence; empty: they can.
Message why_no_access_log();

/// The next launch of this process is logged, of it the items [first_item, end_item).
void log_next_launch(std::uint64_t first_item, std::uint64_t end_item);

/// What was logged of the launch that was asked for last, which the process has waited for. `memory`, by address: what its
/// accesses may be in, shared memory apart, which has one range a block, "shared". Throws Error (no_device) with the
/// recorder's reason when it was not logged.
RawAccesses take_logged_launch(std::uint64_t first_item, std::uint64_t items, const std::vector<AccessRange>& memory);

}  // namespace cuda
}  // namespace twiddle
