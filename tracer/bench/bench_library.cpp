#include "tracer/bench/bench_library.h"

#include "base/error.h"
#include "base/paths.h"
#include "base/process.h"
#include "base/read_file.h"
#include "base/temporary_folder.h"
#include "base/values/clock.h"
#include "base/values/json_text.h"
#include "base/write_file.h"
#include "kernels/catalogue/catalogue.h"
#include "tracer/cuda/cuda_api.h"
#include "tracer/opencl/devices/opencl_devices.h"
#include "tracer/opencl/opencl_clfft.h"
#include "tracer/runtime/shared_library.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <random>
#include <sstream>
#include <system_error>

namespace twiddle {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t max_text = std::size_t(256) << 20;  // of a library's headers

/// Interleaved complex numbers of −1 … 1.
std::vector<float> random_points(std::uint64_t count) {
  std::mt19937 random(1);
  std::vector<float> points(2 * count);
  for (float& point : points) point = static_cast<float>(random()) * 0x1p-31f - 1;
  return points;
}

// What a compiler says is wrong first.
std::string first_error(const std::string& messages) {
  std::istringstream lines(messages);
  std::string line, first;
  while (std::getline(lines, line)) {
    if (line.find("error") != std::string::npos) return line;
    if (first.empty()) first = line;
  }
  return first;
}

// `calls(first, count)` runs calls first … first + count − 1 and returns the nanoseconds they took.
double median_time(const std::function<double(int, int)>& calls, int samples, double seconds) {
  calls(0, 1);
  const Sampling sampling = sampling_for(calls(1, 2) / 2, samples, seconds);
  int next = 3;
  std::vector<double> times;
  for (int s = 0; s < sampling.samples; ++s, next += sampling.calls)
    times.push_back(calls(next, sampling.calls) / sampling.calls);
  return median_of(std::move(times));
}

template <typename Function>
Function function_in(const SharedLibrary& library, const char* name) {
  const auto function = reinterpret_cast<Function>(library.symbol(name));
  if (!function) throw no_device("{} has no function {}: it is of another version", library.name(), name);
  return function;
}

std::vector<std::string> cuda_names(const std::string& library, std::initializer_list<int> versions) {
  std::vector<std::string> names;
  for (const char* folder : {"", "/usr/local/cuda/lib64/", "/usr/local/cuda/targets/x86_64-linux/lib/"})
    for (const int version : versions) names.push_back(fmt::format("{}{}.so.{}", folder, library, version));
  return names;
}

// ---- cuFFT ----

class CuFft {
 public:
  explicit CuFft(int device) : driver_(cuda::driver()) {
    check(driver_.device_get(&device_, device), "open the device");
    check(driver_.context_retain(&context_, device_), "open the device");
    check(driver_.context_set_current(context_), "open the device");
    library_ = SharedLibrary::open(cuda_names("libcufft", {12, 11, 10}));
    if (!library_) throw no_device("cuFFT is not installed: libcufft.so was not found");
    check(driver_.event_create(&start_, 0), "measure");
    check(driver_.event_create(&end_, 0), "measure");
  }
  CuFft(const CuFft&) = delete;
  CuFft& operator=(const CuFft&) = delete;
  ~CuFft() {
    for (const cuda::DevicePointer memory : memory_) driver_.memory_free(memory);
    driver_.context_release(device_);
  }

  LibraryTime time(const LibraryProblem& problem) {
    const auto plan_1d = function_in<int (*)(int*, int, int, int)>(library_, "cufftPlan1d");
    const auto execute = function_in<int (*)(int, void*, void*, int)>(library_, "cufftExecC2C");
    const auto version_of = function_in<int (*)(int*)>(library_, "cufftGetVersion");
    int version = 0, plan = 0;
    version_of(&version);
    constexpr int complex_to_complex = 0x29, forward = -1;
    const std::uint64_t rows = std::max<std::uint64_t>(problem.rows, 1), count = problem.n * rows;
    const auto columns = static_cast<int>(problem.n);
    if (problem.family == "fft2d")
      done(function_in<int (*)(int*, int, int, int)>(library_, "cufftPlan2d")(&plan, static_cast<int>(rows), columns,
                                                                              complex_to_complex));
    else
      done(plan_1d(&plan, columns, complex_to_complex, static_cast<int>(rows)));
    std::size_t total = 0;
    check(driver_.device_memory(&total, device_), "measure");
    const std::uint64_t bytes = 8 * count, pairs = pairs_for(2 * bytes, total);
    const cuda::DevicePointer in = allocate(pairs * bytes), out = allocate(pairs * bytes);
    const std::vector<float> points = random_points(count);
    for (std::uint64_t p = 0; p < pairs; ++p)
      check(driver_.copy_to_device(in + p * bytes, points.data(), bytes), "copy to the device");

    const auto calls = [&](std::uint64_t turn) {
      return [&, turn](int first, int how_many) {
        check(driver_.event_record(start_, nullptr), "measure");
        for (int c = first; c < first + how_many; ++c) {
          const std::uint64_t at = static_cast<std::uint64_t>(c) % turn * bytes;
          done(execute(plan, pointer(in + at), pointer(out + at), forward));
        }
        check(driver_.event_record(end_, nullptr), "measure");
        check(driver_.event_synchronize(end_), "measure");
        float milliseconds = 0;
        check(driver_.event_elapsed(&milliseconds, start_, end_), "measure");
        return 1e6 * static_cast<double>(milliseconds);
      };
    };
    LibraryTime time{"cufft", fmt::format("{}.{}.{}", version / 1000, version / 100 % 10, version % 100), "", 0, 0};
    time.ns = median_time(calls(pairs), problem.samples, problem.seconds);
    if (2 * bytes <= warm_bytes) time.warm_ns = median_time(calls(1), problem.samples, problem.seconds);
    return time;
  }

 private:
  static void* pointer(cuda::DevicePointer at) { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(at)); }
  static void done(int result) {
    if (result != 0) throw no_device("cuFFT refuses this problem (result {})", result);
  }
  void check(cuda::Result result, const char* doing) const {
    if (result != cuda::success) throw no_device("could not {}: {}", doing, cuda::describe(driver_, result));
  }
  cuda::DevicePointer allocate(std::uint64_t bytes) {
    cuda::DevicePointer memory = 0;
    check(driver_.memory_allocate(&memory, bytes), "allocate memory");
    memory_.push_back(memory);
    return memory;
  }

  const cuda::Driver& driver_;
  cuda::Device device_ = 0;
  cuda::Context context_ = nullptr;
  SharedLibrary library_;
  cuda::Event start_ = nullptr, end_ = nullptr;
  std::vector<cuda::DevicePointer> memory_;
};

// ---- FFTW ----

LibraryTime time_fftw(const LibraryProblem& problem) {
  const SharedLibrary library = SharedLibrary::open({"libfftw3f.so.3", "libfftw3f.so"});
  if (!library) throw no_device("FFTW is not installed: libfftw3f.so.3 was not found");
  using Plan = void*;
  using PlanMany =
      Plan (*)(int, const int*, int, void*, const int*, int, int, void*, const int*, int, int, int, unsigned);
  const auto plan_many = function_in<PlanMany>(library, "fftwf_plan_many_dft");
  const auto execute = function_in<void (*)(Plan, void*, void*)>(library, "fftwf_execute_dft");
  const auto* const version = static_cast<const char*>(library.symbol("fftwf_version"));
  constexpr unsigned measure = 0, estimate = 1u << 6;
  constexpr int forward = -1;
  const std::uint64_t rows = std::max<std::uint64_t>(problem.rows, 1), count = problem.n * rows;
  const std::uint64_t pairs = std::min<std::uint64_t>(pairs_for(16 * count, std::uint64_t(4) << 30), 8);
  const auto n = static_cast<int>(problem.n);
  std::vector<float> in(2 * count * pairs), out(2 * count * pairs);
  const bool plane = problem.family == "fft2d";
  const int sides[2] = {static_cast<int>(rows), n};
  void* const plan =
      plan_many(plane ? 2 : 1, plane ? sides : &n, plane ? 1 : static_cast<int>(rows), in.data(), nullptr, 1, n,
                out.data(), nullptr, 1, n, forward, count <= (1u << 20) ? measure : estimate);
  if (!plan) throw no_device("FFTW refuses this problem");
  const std::vector<float> points = random_points(count);
  for (std::uint64_t p = 0; p < pairs; ++p)
    std::copy(points.begin(), points.end(), in.begin() + static_cast<std::ptrdiff_t>(2 * count * p));
  const auto calls = [&](std::uint64_t turn) {
    return [&, turn](int first, int how_many) {
      const auto since = Clock::now();
      for (int c = first; c < first + how_many; ++c) {
        const std::uint64_t at = static_cast<std::uint64_t>(c) % turn * 2 * count;
        execute(plan, in.data() + at, out.data() + at);
      }
      return nanoseconds_since(since);
    };
  };
  LibraryTime time{"fftw", version ? std::string(version) : "", "one thread", 0, 0};
  time.ns = median_time(calls(pairs), problem.samples, problem.seconds);
  if (16 * count <= warm_bytes) time.warm_ns = median_time(calls(1), problem.samples, problem.seconds);
  return time;
}

// ---- CUB and VkFFT: headers, which need a compiler ----

namespace fs = std::filesystem;

// A program of kernels/bench, built when it is asked for the first time with what the compiler finds of the library.
std::string built_program(const std::string& library, std::vector<std::string> compiler, const std::string& source,
                          const std::vector<std::string>& linked) {
  const TemporaryFolder folder;
  const std::string name = fs::path(compiler[0]).filename().string(),
                    file = resource("kernels/bench/" + source).string();
  const auto compile = [&](const std::vector<std::string>& more) {
    std::vector<std::string> command = compiler;
    command.insert(command.end(), more.begin(), more.end());
    const ProcessResult result = run_process(command, 300);
    if (result.status == 0) return;
    if (library == "VkFFT" && result.errors.find("vkFFT.h") != std::string::npos)
      throw no_device(
          "VkFFT is not installed: {} found no vkFFT.h (Debian's libvkfft-dev has it, or name its folder in CPATH)",
          name);
    throw no_device("{} cannot build the program that measures {}: {}", name, library, first_error(result.errors));
  };
  const fs::path text = folder.path() / "text", fresh = folder.path() / "program";
  compile({"-E", "-o", text.string(), file});
  std::string key = read_file(text, max_text);
  for (const std::string& word : compiler) key += word + '\n';
  const fs::path program =
      cache_directory() / "bench" / fmt::format("{}-{:016x}", library, std::hash<std::string>()(key));
  if (fs::exists(program)) return program.string();
  std::vector<std::string> arguments = {"-o", fresh.string(), file};
  arguments.insert(arguments.end(), linked.begin(), linked.end());
  compile(arguments);
  PendingFile pending(program);  // no other process sees half of it
  std::error_code failed;
  fs::create_directories(program.parent_path(), failed);
  if (!failed) fs::copy_file(fresh, pending.path(), failed);
  if (!failed) failed = pending.try_keep();
  if (failed)
    throw no_device("{} cannot be written: {}; set XDG_CACHE_HOME to a folder that can", program.string(),
                    failed.message());
  return program.string();
}

std::string nvcc_for(const char* library) {
  std::string nvcc = find_program("nvcc").string();
  if (nvcc.empty()) nvcc = find_program("/usr/local/cuda/bin/nvcc").string();
  if (nvcc.empty()) throw no_device("{} needs nvcc to be built, and there is none on the PATH", library);
  return nvcc;
}

std::vector<LibraryTime> times_of_program(const std::string& library, const std::vector<std::string>& command) {
  const ProcessResult run = run_process(command, 120);
  if (run.timed_out) throw no_device("the program that measures {} did not end", library);
  if (run.status != 0) throw no_device("the program that measures {} failed: {}", library, last_line(run.errors));
  return library_times(run.output);
}

std::vector<LibraryTime> time_cub(const LibraryProblem& problem) {
  const std::string program =
      built_program("CUB", {nvcc_for("CUB"), "-std=c++17", "-O3", "-arch=native"}, "cub.cu", {});
  std::vector<std::string> command = {program, problem.family, fmt::format("{}", problem.n),
                                      fmt::format("{}", problem.samples), fmt::format("{}", problem.device)};
  const TemporaryFolder folder;
  if (problem.family == "histogram") {  // how long it takes depends on the values: those that the rungs count
    Request request;
    request.algorithm = "histogram-lanes";
    request.n = problem.n;
    request.type = problem.type;
    request.signal = problem.signal;
    const Plan plan = make_plan(request);
    const std::vector<std::byte> bytes = first_content(plan, *plan.buffer_named(plan.expect.input));
    const fs::path values = folder.path() / "values";
    write_file(values, bytes, ExitCode::no_device);
    command.insert(command.end(), {problem.type, values.string()});
  }
  std::vector<LibraryTime> times = times_of_program("CUB", command);
  if (problem.family == "histogram")
    for (LibraryTime& time : times) time.what += " of " + problem.signal;
  return times;
}

std::vector<LibraryTime> time_vkfft(const LibraryProblem& problem) {
  std::string program, device = fmt::format("{}", problem.device);
  if (problem.runtime == "cuda") {
    const std::string nvcc = nvcc_for("VkFFT");
    std::vector<std::string> linked = {"-lnvrtc", "-lcuda"};
    for (const char* stubs : {"lib64/stubs", "targets/x86_64-linux/lib/stubs"})
      linked.push_back("-L" + (fs::path(nvcc).parent_path().parent_path() / stubs).string());
    program = built_program("VkFFT", {nvcc, "-std=c++17", "-O2", "-w", "-DVKFFT_BACKEND=1"}, "vkfft.cc", linked);
  } else {
    std::string compiler;
    for (const char* name : {"c++", "g++", "clang++"})
      if (compiler.empty()) compiler = find_program(name).string();
    if (compiler.empty()) throw no_device("VkFFT needs a C++ compiler to be built, and there is none on the PATH");
    std::string why_not;
    const std::vector<OpenClDevice> devices = find_opencl_devices(why_not);
    if (problem.device < 0 || static_cast<std::size_t>(problem.device) >= devices.size())
      throw no_device("{}", why_not);
    const auto name_of = [](const OpenClDevice& one) {
      return one.device.getInfo<CL_DEVICE_NAME>() + '\n' + one.platform.getInfo<CL_PLATFORM_VERSION>();
    };
    device = name_of(devices[static_cast<std::size_t>(problem.device)]);
    // Of several devices of that name and platform, which one.
    const auto before = std::count_if(devices.begin(), devices.begin() + problem.device,
                                      [&](const OpenClDevice& one) { return name_of(one) == device; });
    device = fmt::format("{}\n{}", before, device);
    program = built_program(
        "VkFFT", {compiler, "-std=c++17", "-O2", "-w", "-DVKFFT_BACKEND=3", "-DCL_TARGET_OPENCL_VERSION=120"},
        "vkfft.cc", {"-lOpenCL"});
  }
  return times_of_program("VkFFT", {program, problem.family, fmt::format("{}", problem.n),
                                    fmt::format("{}", problem.rows), fmt::format("{}", problem.samples), device});
}

}  // namespace

std::vector<std::string> libraries_for(const std::string& runtime, const std::string& kind, const std::string& family) {
  const bool transform = family.starts_with("fft");
  if (runtime == "cuda")
    return transform ? std::vector<std::string>{"cufft", "vkfft"} : std::vector<std::string>{"cub"};
  if (!transform) return {};
  if (kind == "cpu")
    return runtime == "opencl" ? std::vector<std::string>{"fftw", "clfft", "vkfft"} : std::vector<std::string>{"fftw"};
  return {"clfft", "vkfft"};
}

std::vector<LibraryTime> time_library(const std::string& library, const LibraryProblem& problem) {
  if (library == "cufft") return {CuFft(problem.device).time(problem)};
  if (library == "fftw") return {time_fftw(problem)};
  if (library == "clfft") {
    LibraryTime time{"clfft", "", "", 0, 0};
    ClFft clfft(problem.device);
    const std::uint64_t rows = std::max<std::uint64_t>(problem.rows, 1), count = problem.n * rows;
    const std::uint64_t pairs = pairs_for(16 * count, clfft.memory_bytes());
    time.version = clfft.version();
    const bool plane = problem.family == "fft2d";
    clfft.prepare(plane ? std::vector<std::uint64_t>{problem.n, rows} : std::vector<std::uint64_t>{problem.n},
                  plane ? 1 : rows, pairs, random_points(count));
    const auto calls = [&](std::uint64_t turn) {
      return
          [&, turn](int first, int how_many) { return clfft.run(static_cast<std::uint64_t>(first), how_many, turn); };
    };
    time.ns = median_time(calls(pairs), problem.samples, problem.seconds);
    if (16 * count <= warm_bytes) time.warm_ns = median_time(calls(1), problem.samples, problem.seconds);
    return {time};
  }
  if (library == "cub") return time_cub(problem);
  if (library == "vkfft") return time_vkfft(problem);
  throw usage_error("there is no library '{}' to measure; there are cufft, cub, vkfft, clfft and fftw", library);
}

std::string library_json(const std::vector<LibraryTime>& times) {
  Json list = Json::array();
  for (const LibraryTime& time : times)
    list.push_back({{"library", time.library},
                    {"version", time.version},
                    {"what", time.what},
                    {"ns", time.ns},
                    {"warm_ns", time.warm_ns}});
  return json_text(list, 2);
}

std::vector<LibraryTime> library_times(const std::string& json) {
  const Json list = Json::parse(json, nullptr, false);
  if (!list.is_array() || list.empty()) throw unreadable("what a library's bench printed is no list of times");
  std::vector<LibraryTime> times;
  for (const Json& one : list) {
    const auto text = [&](const char* key) {
      return one.contains(key) && one[key].is_string() ? one[key].get<std::string>() : "";
    };
    const auto number = [&](const char* key) {
      return one.contains(key) && one[key].is_number() ? one[key].get<double>() : 0.0;
    };
    times.push_back({text("library"), text("version"), text("what"), number("ns"), number("warm_ns")});
  }
  return times;
}

std::uint64_t pairs_for(std::uint64_t pair_bytes, std::uint64_t memory_bytes) {
  constexpr std::uint64_t beyond_caches = std::uint64_t(3) << 30;
  const std::uint64_t room = std::max<std::uint64_t>(memory_bytes / 4 / std::max<std::uint64_t>(pair_bytes, 1), 1);
  return std::clamp<std::uint64_t>(beyond_caches / std::max<std::uint64_t>(pair_bytes, 1), 1,
                                   std::min<std::uint64_t>(room, 24));
}

Sampling sampling_for(double ns, int samples, double seconds) {
  constexpr double sample_ns = 2e6;  // long enough for the clock, short enough for a median
  Sampling sampling;
  sampling.calls = static_cast<int>(std::clamp(sample_ns / std::max(ns, 1.0), 2.0, 50.0));
  if (ns > 1e8) sampling.calls = 1;
  const double possible = seconds * 1e9 / (std::max(ns, 1.0) * sampling.calls);
  sampling.samples = static_cast<int>(std::clamp(possible, 1.0, static_cast<double>(samples)));
  return sampling;
}

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace twiddle
