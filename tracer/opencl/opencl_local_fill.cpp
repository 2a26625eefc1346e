#include "tracer/opencl/opencl_local_fill.h"

#include "kernels/plan/plan.h"
#include "tracer/opencl/devices/opencl_build_log.h"

#include <algorithm>

namespace twiddle {
namespace {

// What is read back and written out, so that no compiler leaves the stores away.
constexpr const char* source =
    "kernel void fill(local volatile uint *memory, uint words, uint pattern, global uint *sink)\n"
    "{\n"
    "  for (uint i = get_local_id(0); i < words; i += get_local_size(0)) memory[i] = pattern;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  if (memory[words - 1] != pattern) sink[0] = memory[0];\n"
    "}\n";
constexpr std::size_t items = 32, groups_a_unit = 4, step = 512;

}  // namespace

void LocalFill::fill(std::size_t bytes) {
  if (!kernel_) {
    cl::Program program(context_, source);
    build_program(program, device_, "");
    kernel_.emplace(program, "fill");
    sink_ = cl::Buffer(context_, CL_MEM_READ_WRITE, sizeof(cl_uint));
  }
  // A CPU keeps a group's arrays at the start of its thread's memory; on a GPU they may be anywhere in a compute unit's.
  const auto all = static_cast<std::size_t>(device_.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>());
  const bool cpu = device_.getInfo<CL_DEVICE_TYPE>() == CL_DEVICE_TYPE_CPU;
  constexpr std::size_t beside = 1024;  // what alignment puts between arrays
  const std::size_t groups = groups_a_unit * device_.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
  // A driver may need a little of it for itself, and says only then that there is not as much as it says.
  const std::size_t wanted = std::min({all, cpu ? bytes + beside : all, most_});
  for (std::size_t filled = wanted; filled >= sizeof(cl_uint); filled -= std::min(filled, step)) {
    const auto words = static_cast<cl_uint>(filled / sizeof(cl_uint));
    kernel_->setArg(0, words * sizeof(cl_uint), nullptr);
    kernel_->setArg(1, words);
    kernel_->setArg(2, cl_uint{uninitialised_pattern});
    kernel_->setArg(3, sink_);
    try {
      queue_.enqueueNDRangeKernel(*kernel_, cl::NullRange, cl::NDRange(groups * items), cl::NDRange(items));
      if (filled < wanted) most_ = filled;
      return;
    } catch (const cl::Error& error) {
      if (error.err() != CL_OUT_OF_RESOURCES || filled <= step) throw;
    }
  }
}

}  // namespace twiddle
