#include "tracer/opencl/opencl_clfft.h"

#include "base/error.h"
#include "base/values/clock.h"
#include "tracer/opencl/devices/opencl_devices.h"
#include "tracer/runtime/shared_library.h"

#include <fmt/format.h>

#include <chrono>

namespace twiddle {

struct ClFft::Parts {
  // clFFT.h's own types and values, so that no header of it is needed to build.
  using Plan = std::size_t;
  struct SetupData {
    cl_uint major = 0, minor = 0, patch = 0;
    cl_ulong debug = 0;
  };
  SharedLibrary library;
  OpenClDevice device;
  cl::Context context;
  cl::CommandQueue queue;
  Plan plan = 0;
  SetupData setup;
  std::uint64_t count = 0;
  std::vector<cl::Buffer> in, out;
  cl_int (*enqueue)(Plan, int, cl_uint, cl_command_queue*, cl_uint, const cl_event*, cl_event*, cl_mem*, cl_mem*,
                    cl_mem) = nullptr;

  template <typename Function>
  Function function(const char* name) const {
    const auto found = reinterpret_cast<Function>(library.symbol(name));
    if (!found) throw no_device("{} has no function {}: it is of another version", library.name(), name);
    return found;
  }
  static void done(cl_int result, const char* doing) {
    if (result != 0) throw no_device("clFFT could not {} (error {})", doing, result);
  }
};

ClFft::ClFft(int device) : parts_(std::make_unique<Parts>()) {
  Parts& p = *parts_;
  p.library = SharedLibrary::open({"libclFFT.so.2", "libclFFT.so"});
  if (!p.library) throw no_device("clFFT is not installed: libclFFT.so.2 was not found");
  std::string why_not;
  const std::vector<OpenClDevice> devices = find_opencl_devices(why_not);
  if (device < 0 || static_cast<std::size_t>(device) >= devices.size()) throw no_device("{}", why_not);
  p.device = devices[static_cast<std::size_t>(device)];
  p.context = cl::Context(p.device.device);
  p.queue = cl::CommandQueue(p.context, p.device.device);
  p.function<cl_int (*)(cl_uint*, cl_uint*, cl_uint*)>("clfftGetVersion")(&p.setup.major, &p.setup.minor,
                                                                          &p.setup.patch);
  Parts::done(p.function<cl_int (*)(const Parts::SetupData*)>("clfftSetup")(&p.setup), "start");
  p.enqueue = p.function<decltype(p.enqueue)>("clfftEnqueueTransform");
}

// clFFT's own way to end frees what the drivers may have freed by then: the program that measures ends here anyway.
ClFft::~ClFft() = default;

std::uint64_t ClFft::memory_bytes() const { return parts_->device.info.global_bytes; }

std::string ClFft::version() const {
  return fmt::format("{}.{}.{}", parts_->setup.major, parts_->setup.minor, parts_->setup.patch);
}

void ClFft::prepare(const std::vector<std::size_t>& lengths, std::uint64_t rows, std::uint64_t pairs,
                    const std::vector<float>& points) {
  Parts& p = *parts_;
  constexpr int single = 1, interleaved = 1, out_of_place = 2;
  using Set = cl_int (*)(Parts::Plan, int);
  Parts::done(p.function<cl_int (*)(Parts::Plan*, cl_context, int, const std::size_t*)>("clfftCreateDefaultPlan")(
                  &p.plan, p.context(), static_cast<int>(lengths.size()), lengths.data()),
              "make a plan");
  Parts::done(p.function<Set>("clfftSetPlanPrecision")(p.plan, single), "set the precision");
  Parts::done(p.function<cl_int (*)(Parts::Plan, int, int)>("clfftSetLayout")(p.plan, interleaved, interleaved),
              "set the layout");
  Parts::done(p.function<Set>("clfftSetResultLocation")(p.plan, out_of_place), "set the result's place");
  Parts::done(p.function<cl_int (*)(Parts::Plan, std::size_t)>("clfftSetPlanBatchSize")(p.plan, rows), "set the rows");
  cl_command_queue queue = p.queue();
  Parts::done(p.function<cl_int (*)(Parts::Plan, cl_uint, cl_command_queue*, void*, void*)>("clfftBakePlan")(
                  p.plan, 1, &queue, nullptr, nullptr),
              "make its kernels");
  p.count = rows;
  for (const std::size_t length : lengths) p.count *= length;
  try {
    for (std::uint64_t i = 0; i < pairs; ++i) {
      p.in.emplace_back(p.context, CL_MEM_READ_WRITE, 8 * p.count);
      p.out.emplace_back(p.context, CL_MEM_READ_WRITE, 8 * p.count);
      p.queue.enqueueWriteBuffer(p.in.back(), CL_TRUE, 0, 8 * p.count, points.data());
    }
  } catch (const cl::Error& error) { throw no_device("could not allocate memory for clFFT (error {})", error.err()); }
}

double ClFft::run(std::uint64_t first, int count, std::uint64_t turn) {
  Parts& p = *parts_;
  constexpr int forward = -1;
  cl_command_queue queue = p.queue();
  const auto since = std::chrono::steady_clock::now();
  for (std::uint64_t c = first; c < first + static_cast<std::uint64_t>(count); ++c) {
    cl_mem in = p.in[c % turn](), out = p.out[c % turn]();
    Parts::done(p.enqueue(p.plan, forward, 1, &queue, 0, nullptr, nullptr, &in, &out, nullptr), "transform");
  }
  p.queue.finish();
  return nanoseconds_since(since);
}

std::vector<float> ClFft::result(std::uint64_t pair) {
  std::vector<float> points(2 * parts_->count);
  parts_->queue.enqueueReadBuffer(parts_->out.at(pair), CL_TRUE, 0, 8 * parts_->count, points.data());
  return points;
}

}  // namespace twiddle
