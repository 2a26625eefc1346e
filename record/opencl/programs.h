// The application's programs and kernels, and what they are made of. The application holds originals only; twins are built when
// one of a program's kernels is first recorded on a device.
#pragma once

#include "record/opencl/recording.h"
#include "tracer/opencl/twin/opencl_twin.h"

#include <CL/cl_icd.h>

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace twiddle::layer {

/// A text that was compiled, and how.
struct Unit {
  std::string text;
  TwinBuild build;
};

struct ProgramTwin {
  BuiltTwin built;
  ProgramSource source;
  int file = -1;                   // number of the program's file in the recording; −1: not written yet
  std::string never;               // why none of its kernels can be run twice; empty: they can
  std::set<std::string> printing;  // functions that print, themselves or through others: nor can these
};

struct ProgramRecord {
  cl_context context = nullptr;
  int number = 0;            // from 1, in the order of creation
  std::string text;          // as created from; empty: linked
  std::vector<Unit> units;   // since it was last built, compiled or linked
  bool of_binaries = false;  // of a program whose source was seen: to build it changes nothing
  std::string unseen;        // why there can be no twin: made of binaries, of IL
  std::map<cl_device_id, std::shared_ptr<ProgramTwin>> twins;
};

struct ArgumentRecord {
  bool set = false;
  std::size_t size = 0;
  std::vector<std::byte> value;  // empty: local memory of `size` bytes
  bool pointer = false;          // the value points into shared virtual memory, and is no memory object
};

struct KernelRecord {
  std::string name;
  std::shared_ptr<ProgramRecord> program;  // null: of a program that was not seen
  std::vector<ArgumentRecord> arguments;
  std::vector<const void*> reached;  // shared virtual memory that it may come to without being given it
  bool reaches_all = false;          // that may be all of the host's memory
};

/// Null: not known.
KernelRecord* kernel_record(cl_kernel kernel);

/// The program's twin on a device, built now if need be; its why_not says why there is none.
ProgramTwin& twin_for(ProgramRecord& program, const cl::Context& context, const cl::CommandQueue& queue,
                      const cl::Device& device, const DeviceInfo& info);

/// The entry points that this file answers: programs, kernels and their arguments.
void intercept_programs(cl_icd_dispatch& table);

}  // namespace twiddle::layer
