// Measures VkFFT as `twiddle bench kernels` measures the catalogue's kernels: vkfft fft|fft2d N ROWS SAMPLES DEVICE. Prints JSON.
//
// -DVKFFT_BACKEND=1: CUDA, DEVICE is a number   -DVKFFT_BACKEND=3: OpenCL, DEVICE is a name
template <class T = int> static int VkFFTGetVersion() { return 0; }  // for versions that have none; theirs is preferred
#include <vkFFT.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

[[noreturn]] static void fail(const char *doing, long code)
{
  fprintf(stderr, "could not %s (error %ld)\n", doing, code);
  exit(1);
}
static void done(long code, const char *doing)
{
  if (code != 0) fail(doing, code);
}

#if VKFFT_BACKEND == 1
typedef void *Memory;
struct Device {
  CUdevice device = 0;
  cudaEvent_t start, end;
  explicit Device(const char *number)
  {
    done(cudaSetDevice(atoi(number)), "open the device");
    done(cuDeviceGet(&device, atoi(number)), "open the device");
    done(cudaEventCreate(&start), "measure");
    done(cudaEventCreate(&end), "measure");
  }
  void tell(VkFFTConfiguration &c) { c.device = &device; }
  void tell(VkFFTLaunchParams &) {}
  size_t memory()
  {
    size_t available = 0, total = 0;
    done(cudaMemGetInfo(&available, &total), "measure");
    return total;
  }
  Memory allocate(size_t bytes)
  {
    void *p = nullptr;
    done(cudaMalloc(&p, bytes), "allocate memory");
    return p;
  }
  void upload(Memory to, const void *from, size_t bytes) { done(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "copy to the device"); }
  void download(void *to, Memory from, size_t bytes) { done(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "copy from the device"); }
  double timed(const std::function<void()> &run)
  {
    float ms = 0;
    done(cudaEventRecord(start), "measure");
    run();
    done(cudaEventRecord(end), "measure");
    done(cudaEventSynchronize(end), "run");
    done(cudaEventElapsedTime(&ms, start, end), "measure");
    return 1e6 * ms;
  }
};
#else
typedef cl_mem Memory;
struct Device {
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  // "1\nNAME\nPLATFORM'S VERSION": the second device of this name on such a platform
  explicit Device(const char *which)
  {
    char *end = nullptr;
    long others = strtol(which, &end, 10);
    const std::string wanted = *end ? end + 1 : end;
    cl_platform_id platforms[16];
    cl_uint count = 0;
    done(clGetPlatformIDs(16, platforms, &count), "find a device");
    for (cl_uint p = 0; p < std::min(count, 16u) && !device; ++p) {
      cl_device_id devices[16];
      cl_uint devices_there = 0;
      if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 16, devices, &devices_there) != CL_SUCCESS) continue;
      for (cl_uint d = 0; d < std::min(devices_there, 16u) && !device; ++d) {
        char name[1024] = "", version[1024] = "";
        clGetDeviceInfo(devices[d], CL_DEVICE_NAME, sizeof name, name, nullptr);
        clGetPlatformInfo(platforms[p], CL_PLATFORM_VERSION, sizeof version, version, nullptr);
        if (std::string(name) + '\n' + version == wanted && others-- == 0) device = devices[d];
      }
    }
    if (!device) fail("find the device", -1);
    cl_int failed = 0;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &failed);
    done(failed, "open the device");
    queue = clCreateCommandQueue(context, device, 0, &failed);
    done(failed, "open the device");
  }
  void tell(VkFFTConfiguration &c) { c.device = &device, c.context = &context; }
  void tell(VkFFTLaunchParams &p) { p.commandQueue = &queue; }
  size_t memory()
  {
    cl_ulong bytes = 0;
    done(clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof bytes, &bytes, nullptr), "measure");
    return bytes;
  }
  Memory allocate(size_t bytes)
  {
    cl_int failed = 0;
    Memory memory = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &failed);
    done(failed, "allocate memory");
    return memory;
  }
  void upload(Memory to, const void *from, size_t bytes) { done(clEnqueueWriteBuffer(queue, to, CL_TRUE, 0, bytes, from, 0, nullptr, nullptr), "copy to the device"); }
  void download(void *to, Memory from, size_t bytes) { done(clEnqueueReadBuffer(queue, from, CL_TRUE, 0, bytes, to, 0, nullptr, nullptr), "copy from the device"); }
  double timed(const std::function<void()> &run)
  {
    done(clFinish(queue), "run");
    const auto since = std::chrono::steady_clock::now();
    run();
    done(clFinish(queue), "run");
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - since).count();
  }
};
#endif

int main(int argc, char **argv)
{
  if (argc != 6) return 2;
  const bool plane = strcmp(argv[1], "fft2d") == 0;
  const size_t n = strtoull(argv[2], nullptr, 10), rows = std::max<size_t>(strtoull(argv[3], nullptr, 10), 1), bytes = 8 * n * rows;
  const int samples = std::max(1, atoi(argv[4]));
  Device device(argv[5]);

  VkFFTConfiguration configuration = {};
  configuration.FFTdim = plane ? 2 : 1;
  configuration.size[0] = n;
  if (plane) configuration.size[1] = rows;
  else configuration.numberBatches = rows;
  decltype(+configuration.size[0]) size = bytes;
  configuration.bufferSize = configuration.inputBufferSize = &size;
  configuration.isInputFormatted = 1;
  configuration.inputBufferStride[0] = n;
  configuration.inputBufferStride[1] = n * rows;
  configuration.makeForwardPlanOnly = 1;
  device.tell(configuration);
  VkFFTApplication application = {};
  done(initializeVkFFT(&application, configuration), "make a plan");

  // Pairs of arrays beyond any cache, as the kernels have them.
  const size_t pair = 2 * bytes, room = std::max<size_t>(device.memory() / 4 / pair, 1);
  const size_t pairs = std::max<size_t>(1, std::min({((size_t)3 << 30) / pair, room, (size_t)24}));
  std::vector<float> points(bytes / 4);
  unsigned h = 1;
  double sum[2] = {0, 0}, scale = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    h = h * 1664525u + 1013904223u;
    points[i] = (float)(int)h * 0x1p-31f;
    if (i < 2 * (plane ? n * rows : n)) sum[i % 2] += points[i], scale += points[i] * points[i];
  }
  std::vector<Memory> in, out;
  for (size_t p = 0; p < pairs; ++p) {
    in.push_back(device.allocate(bytes));
    out.push_back(device.allocate(bytes));
    device.upload(in.back(), points.data(), bytes);
  }
  size_t next = 0, turn = pairs;
  const auto some = [&](int calls) {
    return device.timed([&] {
      for (int c = 0; c < calls; ++c, ++next) {
        VkFFTLaunchParams launch = {};
        launch.buffer = &out[next % turn];
        launch.inputBuffer = &in[next % turn];
        device.tell(launch);
        done(VkFFTAppend(&application, -1, &launch), "transform");
      }
    });
  };
  const auto median = [&] {
    some(1);
    const double once = some(2) / 2;
    const int calls = (int)std::min(std::max(2e6 / std::max(once, 1.0), 2.0), 50.0);
    std::vector<double> times(samples);
    for (double &time : times) time = some(calls) / calls;
    std::nth_element(times.begin(), times.begin() + samples / 2, times.end());
    return times[samples / 2];
  };

  some(1);
  float first[2];  // bin 0 is the sum of all points
  device.download(first, out[0], sizeof first);
  if (!(std::hypot(first[0] - sum[0], first[1] - sum[1]) < 1e-4 * std::sqrt(scale) * std::sqrt((double)n))) {
    fprintf(stderr, "its transform is wrong: bin 0 is %g%+gi and not %g%+gi\n", first[0], first[1], sum[0], sum[1]);
    return 1;
  }
  next = 0;
  const double ns = median();
  double warm = 0;
  if (pair <= ((size_t)40 << 20)) {
    turn = 1;
    warm = median();
  }
  const int version = VkFFTGetVersion();
  const std::string named = version == 0 ? "" : std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." + std::to_string(version % 100);
  printf("[{\"library\": \"vkfft\", \"version\": \"%s\", \"what\": \"\", \"ns\": %.1f, \"warm_ns\": %.1f}]\n", named.c_str(), ns, warm);
}
