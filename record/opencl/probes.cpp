#include "record/opencl/probes.h"

#include "record/opencl/driver.h"
#include "tracer/run/other_numbers.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <random>

namespace twiddle::layer {
namespace {

using namespace std::chrono_literals;

constexpr auto max_probing = 10s;

std::vector<std::byte> content_of(const cl::CommandQueue& queue, const cl::Context& context, const ProbedMemory& one) {
  BufferPart whole = one.buffer;
  whole.whole = one.before();
  return content(context, queue, whole);
}

// Memory in the place of what a launch is given: shared, where that is, for a pointer may lead to any byte of it.
struct Scratch {
  std::shared_ptr<std::byte> shared;
  cl::Buffer buffer;
};

Scratch scratch_for(const cl::Context& context, const BufferPart& memory) {
  const std::size_t bytes = std::max<std::size_t>(memory.whole_bytes, 1);
  if (!memory.address) return {nullptr, cl::Buffer(context, CL_MEM_READ_WRITE, bytes)};
  auto* const shared = static_cast<std::byte*>(driver->clSVMAlloc(context(), CL_MEM_READ_WRITE, bytes, 0));
  if (!shared) throw cl::Error(CL_MEM_OBJECT_ALLOCATION_FAILURE, "clSVMAlloc");
  Scratch scratch{{shared, [context](std::byte* one) { driver->clSVMFree(context(), one); }}, {}};
  scratch.buffer = cl::Buffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, shared);
  return scratch;
}

}  // namespace

bool can_probe(std::span<const ProbedMemory> memory) {
  std::uint64_t bytes = 0;
  for (const ProbedMemory& one : memory) bytes += one.buffer.whole_bytes;
  return bytes <= max_probed_bytes;
}

void run_probes(const RawProbes& wanted, const ProbedLaunch& launch, RawFileWriter& file) {
  const auto end = std::chrono::steady_clock::now() + max_probing;
  BuiltTwin::Kernel twin;
  twin.kernel = cl::Kernel(launch.twin.program, launch.kernel.name.c_str());
  twin.description = &launch.kernel;
  std::vector<std::vector<std::byte>> before;
  std::vector<Scratch> scratch;
  std::vector<std::pair<cl::Buffer, std::size_t>> written;
  for (const ProbedMemory& one : launch.memory) {
    before.push_back(content_of(launch.queue, launch.context, one));
    scratch.push_back(scratch_for(launch.context, one.buffer));
    if (one.written) written.emplace_back(scratch.back().buffer, one.buffer.whole_bytes);
  }
  std::vector<cl::Buffer> parts;
  const auto set = [&](cl_uint at, std::size_t size, const void* value) {
    if (const cl_int status = driver->clSetKernelArg(twin.kernel(), at, size, value))
      throw cl::Error(status, "clSetKernelArg");
  };
  for (std::size_t a = 0; a < launch.given.size(); ++a) {
    const ArgumentRecord& given = launch.given[a];
    const RawArgument& argument = launch.arguments[a];
    const auto at = static_cast<cl_uint>(a);
    if (argument.kind != RawArgument::Kind::Memory || argument.memory < 0) {
      set(at, given.size, given.value.empty() ? nullptr : given.value.data());
      continue;
    }
    const auto m = static_cast<std::size_t>(argument.memory);
    if (given.pointer) {
      const std::byte* pointer = scratch[m].shared.get() + argument.offset;
      if (const cl_int status = driver->clSetKernelArgSVMPointer(twin.kernel(), at, pointer))
        throw cl::Error(status, "clSetKernelArgSVMPointer");
      continue;
    }
    cl_mem memory = scratch[m].buffer();
    if (argument.offset > 0 || argument.bytes < launch.memory[m].buffer.whole_bytes) {
      cl_buffer_region region{argument.offset, argument.bytes};
      parts.push_back(scratch[m].buffer.createSubBuffer(CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region));
      memory = parts.back()();
    }
    set(at, sizeof memory, &memory);
  }
  const auto log_argument = static_cast<cl_uint>(launch.given.size());
  const auto run = [&](const cl::Buffer& log, bool) {
    cl_mem memory = log();
    set(log_argument, sizeof memory, &memory);
    const cl_int status =
        driver->clEnqueueNDRangeKernel(launch.queue(), twin.kernel(), static_cast<cl_uint>(launch.call.dimensions),
                                       launch.has_offset ? launch.offset.data() : nullptr, launch.call.global.data(),
                                       launch.call.local.data(), 0, nullptr, nullptr);
    if (status != CL_SUCCESS) throw cl::Error(status, "launch");
    launch.queue.finish();
    return 0.0;
  };
  AccessRequest request;
  request.first_item = wanted.first_item;
  request.items = wanted.items;
  request.max_bytes = launch.log_bytes;
  std::minstd_rand random(1);
  for (std::uint64_t probe = 0; probe < wanted.runs && std::chrono::steady_clock::now() < end; ++probe) {
    for (std::size_t m = 0; m < scratch.size(); ++m) {
      std::vector<std::byte> bytes = before[m];
      if (m < wanted.number_bytes.size()) fill_with_others(bytes, wanted.number_bytes[m], random);
      if (!bytes.empty()) launch.queue.enqueueWriteBuffer(scratch[m].buffer, CL_TRUE, 0, bytes.size(), bytes.data());
    }
    launch.logged.log(launch.twin.twin, twin, launch.call, request, written, run,
                      [&](const AccessLogLayout& layout, std::span<const std::uint64_t> words,
                          std::span<const std::uint32_t> counts) {
                        if (layout.lost(counts) == 0) file.add("logw", std::as_bytes(words));
                      });
  }
}

}  // namespace twiddle::layer
