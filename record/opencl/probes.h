// A launch once more on other data, in memory of the layer's own: what its writes depend on, where one run's values do not tell.
#pragma once

#include "record/opencl/memory.h"
#include "record/opencl/programs.h"
#include "tracer/opencl/twin/opencl_twin.h"
#include "tracer/record/raw_file.h"

#include <CL/opencl.hpp>

#include <array>
#include <span>
#include <vector>

namespace twiddle::layer {

/// A memory object of the launch, and a buffer with what was in it before.
struct ProbedMemory {
  BufferPart buffer;
  bool written = false;
  cl::Buffer before;
};

struct ProbedLaunch {
  cl::Context context;
  cl::CommandQueue queue;  // not the program's
  LoggedLaunch& logged;
  BuiltTwin& twin;
  const TwinKernel& kernel;
  KernelCall call;
  std::array<std::size_t, 3> offset{0, 0, 0};
  bool has_offset = false;
  std::span<const ArgumentRecord> given;
  std::span<const RawArgument> arguments;  // as many
  std::span<const ProbedMemory> memory;
  std::uint64_t log_bytes = 0;
};

/// Whether it can be run again so: its memory is not too large for a second copy of it.
bool can_probe(std::span<const ProbedMemory> memory);

/// Runs it as often as is wanted, or for as long as it may take, and adds a log for each run that had room. Numbers become
/// others between the smallest and the largest that are in the same memory. Throws cl::Error.
void run_probes(const RawProbes& wanted, const ProbedLaunch& launch, RawFileWriter& file);

}  // namespace twiddle::layer
