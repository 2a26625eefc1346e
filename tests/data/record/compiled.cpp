// A program that has NVRTC compile its kernels: what tests/data/record/compiled.zst is the recording of.
//   compiled      prints what its kernels computed
// c++ compiled.cpp -I$CUDA_HOME/include -L$CUDA_HOME/lib64 -lnvrtc -lcuda
#include <cuda.h>
#include <nvrtc.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

void check(int result, const char* what) {
  if (result == 0) return;
  std::fprintf(stderr, "%s: error %d\n", what, result);
  std::exit(1);
}

struct Compiled {
  std::string image;
  std::vector<std::string> symbols;
};

Compiled compile(const char* text, const char* name, std::vector<const char*> options,
                 std::vector<const char*> kernels = {}, const char* header = nullptr,
                 const char* header_name = nullptr) {
  nvrtcProgram program;
  check(nvrtcCreateProgram(&program, text, name, header ? 1 : 0, &header, &header_name), "nvrtcCreateProgram");
  for (const char* kernel : kernels) check(nvrtcAddNameExpression(program, kernel), "nvrtcAddNameExpression");
  if (const int failed = nvrtcCompileProgram(program, static_cast<int>(options.size()), options.data())) {
    std::size_t bytes = 0;
    nvrtcGetProgramLogSize(program, &bytes);
    std::string log(bytes, 0);
    nvrtcGetProgramLog(program, log.data());
    std::fprintf(stderr, "%s\n", log.c_str());
    check(failed, "nvrtcCompileProgram");
  }
  Compiled compiled;
  for (const char* kernel : kernels) {
    const char* symbol = nullptr;
    check(nvrtcGetLoweredName(program, kernel, &symbol), "nvrtcGetLoweredName");
    compiled.symbols.push_back(symbol);
  }
  std::size_t bytes = 0;
  if (nvrtcGetCUBINSize(program, &bytes) == 0 && bytes > 0) {
    compiled.image.resize(bytes);
    check(nvrtcGetCUBIN(program, compiled.image.data()), "nvrtcGetCUBIN");
  } else {
    check(nvrtcGetPTXSize(program, &bytes), "nvrtcGetPTXSize");
    compiled.image.resize(bytes);
    check(nvrtcGetPTX(program, compiled.image.data()), "nvrtcGetPTX");
  }
  nvrtcDestroyProgram(&program);
  return compiled;
}

const char* const angles = R"(
__device__ inline float angle(unsigned k, unsigned half) { return -3.14159265358979323846f * k / half; }
)";

const char* const stages = R"(
#include "angles.h"
// A stage of butterflies, decimation in time.
template <typename T, int sign>
__global__ void stage(T* x, unsigned half) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, k = i & (half - 1), p = 2 * i - k, q = p + half;
  if (q >= POINTS) return;
  float s, c;
  sincosf(sign * angle(k, half), &s, &c);
  const T a = x[p], b = x[q];
  const T t = make_float2(c * b.x - s * b.y, c * b.y + s * b.x);
  x[p] = make_float2(a.x + t.x, a.y + t.y);
  x[q] = make_float2(a.x - t.x, a.y - t.y);
}
)";

const char* const sums = R"(
struct Scale { float factor; int shift; };
extern "C" __global__ void tree_sum(const float* x, float* sums, const float* weights, Scale scale, long long n) {
  extern __shared__ float part[];
  const unsigned l = threadIdx.x, i = blockIdx.x * blockDim.x + l;
  part[l] = i < n ? x[i] * scale.factor : 0.0f;
  if (weights && scale.shift) part[l] *= weights[i];
  for (unsigned d = blockDim.x / 2; d > 0; d >>= 1) {
    __syncthreads();
    if (l < d) part[l] += part[l + d];
  }
  if (l == 0) sums[blockIdx.x] = part[0];
}
)";

const char* const twice = R"(extern "C" __global__ void change(int* x, int by) { x[threadIdx.x] *= by; })";
const char* const more = R"(extern "C" __global__ void change(int* x, int by) { x[threadIdx.x] += by; })";

CUfunction function(const Compiled& compiled, const char* name) {
  CUmodule module;
  CUfunction found;
  check(cuModuleLoadData(&module, compiled.image.data()), "cuModuleLoadData");
  check(cuModuleGetFunction(&found, module, name), "cuModuleGetFunction");
  return found;
}

CUdeviceptr device(const void* bytes, std::size_t count) {
  CUdeviceptr memory;
  check(cuMemAlloc(&memory, count), "cuMemAlloc");
  check(cuMemcpyHtoD(memory, bytes, count), "cuMemcpyHtoD");
  return memory;
}

}  // namespace

int main() {
  const Compiled fft = compile(stages, "src/stages.cu", {"-arch=sm_90", "-D", "POINTS=16", "--std=c++14"},
                               {"stage<float2, 1>"}, angles, "angles.h");
  const Compiled sum = compile(sums, nullptr, {"--gpu-architecture=compute_90"});
  const Compiled first = compile(twice, "change.cu", {"-arch=compute_90"});
  const Compiled second = compile(more, "change.cu", {"-arch=compute_90"});
  check(cuInit(0), "cuInit");
  CUdevice gpu;
  CUcontext context;
  check(cuDeviceGet(&gpu, 0), "cuDeviceGet");
  check(cuDevicePrimaryCtxRetain(&context, gpu), "cuDevicePrimaryCtxRetain");
  check(cuCtxSetCurrent(context), "cuCtxSetCurrent");

  std::vector<float> x(32);
  for (int i = 0; i < 32; ++i) x[i] = 1.0f / (1 + i % 7) - 0.25f * (i % 3);
  CUdeviceptr points = device(x.data(), 128);
  const CUfunction stage = function(fft, fft.symbols[0].c_str());
  for (unsigned half = 1; half < 16; half *= 2) {
    void* arguments[] = {&points, &half};
    check(cuLaunchKernel(stage, 2, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr), "cuLaunchKernel");
  }
  check(cuMemcpyDtoH(x.data(), points, 128), "cuMemcpyDtoH");
  for (int i = 0; i < 32; ++i) std::printf("%g%c", x[i], i % 8 == 7 ? '\n' : ' ');

  std::vector<float> values(100);
  for (int i = 0; i < 100; ++i) values[i] = 0.5f * (i % 9) - 1;
  const float none[64] = {};
  CUdeviceptr input = device(values.data(), 400), weights = device(none, 256), sums_out = device(none, 16);
  const struct {
    float factor;
    int shift;
  } scale{2.0f, 0};
  long long n = 100;
  char packed[40];
  std::memcpy(packed, &input, 8);
  std::memcpy(packed + 8, &sums_out, 8);
  std::memcpy(packed + 16, &weights, 8);
  std::memcpy(packed + 24, &scale, 8);
  std::memcpy(packed + 32, &n, 8);
  std::size_t bytes = sizeof packed;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  const CUfunction tree = function(sum, "tree_sum");
  check(cuLaunchKernel(tree, 4, 1, 1, 32, 1, 1, 128, nullptr, nullptr, extra), "cuLaunchKernel");

  CUlaunchConfig configuration{};
  configuration.gridDimX = 2;
  configuration.gridDimY = configuration.gridDimZ = configuration.blockDimY = configuration.blockDimZ = 1;
  configuration.blockDimX = 64;
  configuration.sharedMemBytes = 256;
  CUdeviceptr nothing = 0;
  void* configured[] = {&input, &sums_out, &nothing, const_cast<void*>(static_cast<const void*>(&scale)), &n};
  check(cuLaunchKernelEx(&configuration, tree, configured, nullptr), "cuLaunchKernelEx");

  int by = 3;
  std::vector<int> numbers{1, 2, 3, 4};
  CUdeviceptr ints = device(numbers.data(), 16);
  void* changed[] = {&ints, &by};
  check(cuLaunchKernel(function(first, "change"), 1, 1, 1, 4, 1, 1, 0, nullptr, changed, nullptr), "cuLaunchKernel");
  check(cuLaunchKernel(function(second, "change"), 1, 1, 1, 4, 1, 1, 0, nullptr, changed, nullptr), "cuLaunchKernel");
  float results[4];
  check(cuMemcpyDtoH(results, sums_out, 16), "cuMemcpyDtoH");
  check(cuMemcpyDtoH(numbers.data(), ints, 16), "cuMemcpyDtoH");
  for (const float one : results) std::printf("%g ", one);
  for (const int one : numbers) std::printf("%d ", one);
  std::printf("\n");
  return 0;
}
