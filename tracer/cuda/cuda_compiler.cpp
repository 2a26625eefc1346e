#include "tracer/cuda/cuda_compiler.h"

#include "base/error.h"
#include "base/paths.h"
#include "base/read_file.h"
#include "tracer/source/compile_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace twiddle::cuda {
namespace {

constexpr std::size_t max_messages = 60;  // lines of a compiler's log

// Destroys the program at the end of its scope.
class ProgramHolder {
 public:
  ProgramHolder(const Nvrtc& nvrtc, Program program) : nvrtc_(nvrtc), program_(program) {}
  ~ProgramHolder() { nvrtc_.destroy(&program_); }
  ProgramHolder(const ProgramHolder&) = delete;
  ProgramHolder& operator=(const ProgramHolder&) = delete;

 private:
  const Nvrtc& nvrtc_;
  Program program_;
};

// What NVRTC gives as "size, then contents".
template <typename Size, typename Get>
std::string contents(Program program, Size size, Get get) {
  std::size_t bytes = 0;
  if (size(program, &bytes) != 0) return {};
  std::string text(bytes, '\0');
  if (bytes && get(program, text.data()) != 0) return {};
  return text;
}

// Without empty lines and counts of errors, cut where it gets long.
std::string readable(const std::string& log) {
  std::istringstream lines(log.c_str());
  std::string text;
  std::size_t kept = 0, dropped = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    if (line.find(" detected in the compilation of ") != std::string::npos) continue;
    if (kept >= max_messages) {
      ++dropped;
      continue;
    }
    text += (kept++ ? "\n" : "") + line;
  }
  if (dropped) text += fmt::format("\n({} more lines)", dropped);
  return text;
}

// In place of the toolkit's header on machines that have NVRTC alone.
std::string own_cooperative_groups() { return own_file(resource("tracer/cuda/simt/cooperative_groups.h")); }

std::string own_standard_headers() { return own_file(resource("tracer/cuda/simt/standard.h")); }

}  // namespace

Compiled compile(const Nvrtc& nvrtc, const ProgramSource& source, int major, int minor) {
  const std::string text = compiler_text(source);
  std::vector<std::string> options{"--std=c++17", "-lineinfo", "-DTWIDDLE_CUDA=1"};
  // What a kernel may include out of habit is built into NVRTC, or is of use to the host part only.
  std::vector<const char*> names{"cuda_runtime.h", "device_launch_parameters.h",
                                 "math.h",         "cmath",
                                 "stdio.h",        "cstdio",
                                 "assert.h",       "cassert",
                                 "stdlib.h",       "cstdlib",
                                 "string.h",       "cstring",
                                 "stddef.h",       "cstddef"};
  std::vector<const char*> headers(names.size(), "");
  const std::string standard = own_standard_headers();
  for (const char* name : {"stdint.h", "cstdint", "limits.h", "climits", "float.h", "cfloat"}) {
    names.push_back(name);
    headers.push_back(standard.c_str());
  }
  std::string cooperative_groups;
  if (nvrtc.includes.empty()) {
    cooperative_groups = own_cooperative_groups();
    names.push_back("cooperative_groups.h");
    headers.push_back(cooperative_groups.c_str());
  } else {
    options.push_back("--include-path=" + nvrtc.includes.string());
    options.push_back("--include-path=" + (nvrtc.includes / "cccl").string());
  }
  for (const std::string& option : options_of(source, false)) {
    // The language may be given once.
    if (option.find("std=") != std::string::npos)
      options.front() = option;
    else
      options.push_back(option);
  }
  const int architecture = 10 * major + minor;
  const bool known = nvrtc.supported.empty() ||
                     std::find(nvrtc.supported.begin(), nvrtc.supported.end(), architecture) != nvrtc.supported.end();
  int nearest = architecture;
  if (!known)
    for (const int one : nvrtc.supported)
      if (one <= architecture || nearest == architecture) nearest = one;
  if (!known && nearest > architecture)
    throw no_device(
        "NVRTC {}.{} compiles for compute capability {}.{} and newer, and this GPU has {}.{}; install an older NVRTC",
        nvrtc.major, nvrtc.minor, nvrtc.supported[0] / 10, nvrtc.supported[0] % 10, major, minor);
  options.push_back(fmt::format("--gpu-architecture={}_{}", known ? "sm" : "compute", nearest));

  Program program = nullptr;
  if (const int failed = nvrtc.create(&program, text.c_str(), source.name.c_str(), static_cast<int>(headers.size()),
                                      headers.data(), names.data()))
    throw no_device("NVRTC cannot take {}: {}", source.name, nvrtc.error_string(failed));
  const ProgramHolder holder(nvrtc, program);
  // Instances of templates that only a launch names: NVRTC makes them.
  std::vector<std::string> instances;
  for (const std::string& kernel : source.kernels)
    if (kernel.find('<') != std::string::npos && nvrtc.name_kernel(program, kernel.c_str()) == 0)
      instances.push_back(kernel);
  std::vector<const char*> words;
  for (const std::string& option : options) words.push_back(option.c_str());
  if (const int failed = nvrtc.compile(program, static_cast<int>(words.size()), words.data())) {
    const std::string log = readable(contents(program, nvrtc.log_size, nvrtc.log));
    // What a kernel of the catalogue says of devices that it is not for.
    constexpr std::string_view directive = "#error directive: Twiddle: ";
    if (const std::size_t said = log.find(directive); said != std::string::npos)
      throw usage_error("{}", log.substr(said + directive.size(), log.find('\n', said) - said - directive.size()));
    throw does_not_compile(source.name, log.empty() ? nvrtc.error_string(failed) : log);
  }

  Compiled compiled;
  compiled.ptx = contents(program, nvrtc.ptx_size, nvrtc.ptx);
  if (known) compiled.image = contents(program, nvrtc.cubin_size, nvrtc.cubin);
  if (compiled.image.empty()) compiled.image = compiled.ptx;
  compiled.entries = entries_of(compiled.ptx);
  for (const std::string& instance : instances) {
    const char* symbol = nullptr;
    if (nvrtc.lowered_name(program, instance.c_str(), &symbol) != 0 || !symbol) continue;
    for (Entry& entry : compiled.entries)
      if (entry.symbol == symbol) entry.name = instance;
  }
  return compiled;
}

}  // namespace twiddle::cuda
