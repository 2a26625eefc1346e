// What OpenCL has of objects, in one program: parts of buffers, memory of the host's, mapped memory, several queues, in order and
// not, events of the program's own, kernels cloned, tasks, programs linked of parts, local memory, barriers and atomics. Prints
// what every step left, in numbers.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/opencl.hpp>

#include <cstdio>
#include <numeric>
#include <vector>

namespace {

const char* const helper = "int twice(int x);\n";
const char* const part = "#include \"helper.h\"\nint twice(int x) { return x * FACTOR; }\n";
const char* const kernels = R"(#include "helper.h"
kernel void scale(global int* x) { x[get_global_id(0)] = twice(x[get_global_id(0)]); }
kernel void sum(global const int* x, global int* total, local int* tile) {
  int i = get_local_id(0), n = get_local_size(0);
  tile[i] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = n / 2; s > 0; s /= 2) {
    if (i < s) tile[i] += tile[i + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i == 0) atomic_add(total, tile[0]);
}
kernel void one(global int* x) { x[0] += 1000; }
)";

constexpr int n = 64;

void print(const char* what, const std::vector<int>& values) {
  std::printf("%s", what);
  for (const int value : values) std::printf(" %d", value);
  std::printf("\n");
}

}  // namespace

int main() {
  cl::Device device = cl::Device::getDefault();
  cl::Context context(device);
  cl::Program header(context, std::string(helper)), first(context, std::string(part)),
      second(context, std::string(kernels));
  const char* name = "helper.h";
  cl_program header_program = header();
  for (const cl::Program& program : {first, second})
    if (clCompileProgram(program(), 0, nullptr, "-DFACTOR=2", 1, &header_program, &name, nullptr, nullptr)) return 3;
  cl_program parts[] = {first(), second()};
  cl_int status = 0;
  cl::Program program(clLinkProgram(context(), 0, nullptr, "", 2, parts, nullptr, nullptr, &status));
  if (status) return 4;

  cl::CommandQueue queue(context, device), other(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  std::vector<int> x(n), back(n);
  std::iota(x.begin(), x.end(), 1);
  cl::Buffer whole(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, n * sizeof(int), x.data());
  cl_buffer_region region{n / 2 * sizeof(int), n / 2 * sizeof(int)};
  cl::Buffer half = whole.createSubBuffer(CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region);

  cl::Kernel scale(program, "scale");
  scale.setArg(0, half);
  queue.enqueueNDRangeKernel(scale, cl::NullRange, cl::NDRange(n / 2));
  queue.enqueueReadBuffer(whole, CL_TRUE, 0, n * sizeof(int), back.data());
  print("part", back);

  // The host's own memory, changed between launches through a mapping.
  std::vector<int> own(n, 5);
  cl::Buffer hosts(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, n * sizeof(int), own.data());
  scale.setArg(0, hosts);
  queue.enqueueNDRangeKernel(scale, cl::NullRange, cl::NDRange(n), cl::NDRange(16));
  auto* mapped =
      static_cast<int*>(queue.enqueueMapBuffer(hosts, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, n * sizeof(int)));
  print("mapped", std::vector<int>(mapped, mapped + n));
  mapped[3] = 77;
  queue.enqueueUnmapMemObject(hosts, mapped);
  cl::Kernel clone(clCloneKernel(scale(), &status));
  if (status) return 6;
  queue.enqueueNDRangeKernel(clone, cl::NDRange(0), cl::NDRange(n), cl::NDRange(16));
  queue.enqueueReadBuffer(hosts, CL_TRUE, 0, n * sizeof(int), back.data());
  print("cloned", back);

  // Out of order: each waits for the one before.
  cl::Buffer total(context, CL_MEM_READ_WRITE, sizeof(int));
  std::vector<cl::Event> filled(1), summed(1);
  other.enqueueFillBuffer(total, 0, 0, sizeof(int), nullptr, &filled[0]);
  cl::Kernel sum(program, "sum");
  sum.setArg(0, whole);
  sum.setArg(1, total);
  sum.setArg(2, cl::Local(16 * sizeof(int)));
  other.enqueueNDRangeKernel(sum, cl::NullRange, cl::NDRange(n), cl::NDRange(16), &filled, &summed[0]);
  std::vector<int> result(1);
  other.enqueueReadBuffer(total, CL_TRUE, 0, sizeof(int), result.data(), &summed);
  print("sum", result);

  // An event that the program ends itself, after the launch that waits for it.
  cl::UserEvent go(context);
  std::vector<cl::Event> wait{go};
  cl::Kernel one(program, "one");
  one.setArg(0, whole);
  queue.enqueueNDRangeKernel(one, cl::NullRange, cl::NDRange(1), cl::NDRange(1), &wait);
  queue.flush();
  go.setStatus(CL_COMPLETE);
  queue.finish();
  if (clEnqueueTask(queue(), one(), 0, nullptr, nullptr)) return 5;
  queue.enqueueReadBuffer(whole, CL_TRUE, 0, n * sizeof(int), back.data());
  print("task", back);
  return 0;
}
