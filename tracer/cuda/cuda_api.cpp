#include "tracer/cuda/cuda_api.h"

#include "base/error.h"
#include "base/values/environment.h"
#include "tracer/cuda/cuda_access_log.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

namespace fs = std::filesystem;

namespace twiddle::cuda {
namespace {

// Every function of a table, or the name of the first that the library lacks.
template <typename F>
bool resolve(const SharedLibrary& library, const char* symbol, F& function, std::string& missing) {
  function = reinterpret_cast<F>(library.symbol(symbol));
  if (!function && missing.empty()) missing = symbol;
  return function != nullptr;
}

Driver load_driver() {
  Driver driver;
  driver.library = SharedLibrary::open({"libcuda.so.1", "libcuda.so"});
  if (!driver.library)
    throw no_device(
        "there is no NVIDIA driver: libcuda.so.1 was not found; install the driver, or take --runtime opencl or host");
  std::string missing;
#define X(name, symbol, parameters) resolve(driver.library, symbol, driver.name, missing);
  TWIDDLE_CUDA_DRIVER(X)
#undef X
  if (!missing.empty())
    throw no_device("NVIDIA's driver ({}) is too old: it has no {}; install one for CUDA 11 or newer",
                    driver.library.file("cuInit"), missing);
  const RecorderAtStart recorder;
  if (const Result failed = driver.init(0))
    throw no_device("NVIDIA's driver ({}) does not start: {}", driver.library.file("cuInit"), describe(driver, failed));
  driver.driver_version(&driver.version);
  driver.launch_extended = reinterpret_cast<LaunchExtended>(driver.library.symbol("cuLaunchKernelEx"));
  driver.encode_tiled = reinterpret_cast<EncodeTiled>(driver.library.symbol("cuTensorMapEncodeTiled"));
  return driver;
}

// Folders of CUDA toolkits, those that the user named first, then newest first.
std::vector<fs::path> toolkits() {
  std::vector<fs::path> folders;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"})
    if (const std::string given = environment(variable); !given.empty()) folders.emplace_back(given);
  folders.emplace_back("/usr/local/cuda");
  std::error_code ignored;
  std::vector<fs::path> versions;
  for (const fs::directory_entry& entry : fs::directory_iterator("/usr/local", ignored))
    if (entry.path().filename().string().compare(0, 5, "cuda-") == 0) versions.push_back(entry.path());
  std::sort(versions.rbegin(), versions.rend());
  folders.insert(folders.end(), versions.begin(), versions.end());
  folders.emplace_back("/opt/cuda");
  return folders;
}

const std::vector<std::string>& nvrtc_names() {
  static const std::vector<std::string> names{"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"};
  return names;
}

// The toolkit's headers beside its library, or in any toolkit of this machine.
fs::path find_includes(const fs::path& library) {
  std::vector<fs::path> candidates;
  std::error_code ignored;
  const fs::path real = fs::canonical(library, ignored);
  for (const fs::path& file : {library, real})
    if (file.has_parent_path()) {
      candidates.push_back(file.parent_path().parent_path() / "include");
      candidates.push_back(file.parent_path().parent_path().parent_path().parent_path() / "include");
    }
  for (const fs::path& folder : toolkits()) candidates.push_back(folder / "include");
  candidates.emplace_back("/usr/include");
  for (const fs::path& candidate : candidates)
    if (fs::exists(candidate / "cooperative_groups.h", ignored)) return candidate;
  return {};
}

// An empty library when this one does not load or lacks a function.
Nvrtc load_one(const std::string& name) {
  Nvrtc nvrtc;
  SharedLibrary library = SharedLibrary::open({name});
  if (!library) return nvrtc;
  std::string missing;
#define X(function, symbol, parameters) resolve(library, symbol, nvrtc.function, missing);
  TWIDDLE_CUDA_NVRTC(X)
#undef X
  resolve(library, "nvrtcGetErrorString", nvrtc.error_string, missing);
  if (!missing.empty() || nvrtc.version(&nvrtc.major, &nvrtc.minor) != 0) return nvrtc;
  int count = 0;
  if (nvrtc.architecture_count(&count) == 0 && count > 0 && count < 1000) {
    nvrtc.supported.resize(static_cast<std::size_t>(count));
    nvrtc.architectures(nvrtc.supported.data());
    std::sort(nvrtc.supported.begin(), nvrtc.supported.end());
  }
  nvrtc.includes = find_includes(library.file("nvrtcVersion"));
  nvrtc.library = std::move(library);
  return nvrtc;
}

}  // namespace

std::string describe(const Driver& driver, Result error) {
  const char *name = nullptr, *text = nullptr;
  driver.error_name(error, &name);
  driver.error_string(error, &text);
  return fmt::format("{}: {}", name ? name : fmt::format("CUDA error {}", error).c_str(),
                     text ? text : "no explanation");
}

const Driver& driver() {
  static const Driver loaded = load_driver();  // an exception leaves it to be tried again
  return loaded;
}

std::vector<std::string> nvrtc_candidates() {
  std::vector<std::string> candidates = nvrtc_names();
  std::error_code ignored;
  for (const fs::path& folder : toolkits())
    for (const char* below : {"lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"})
      for (const std::string& name : nvrtc_names())
        if (fs::exists(folder / below / name, ignored)) candidates.push_back((folder / below / name).string());
  return candidates;
}

Nvrtc load_nvrtc(int driver_major) {
  Nvrtc newer;
  for (const std::string& candidate : nvrtc_candidates()) {
    Nvrtc nvrtc = load_one(candidate);
    if (!nvrtc.library) continue;
    if (driver_major == 0 || nvrtc.major <= driver_major) return nvrtc;
    if (!newer.library) newer = std::move(nvrtc);
  }
  if (newer.library) return newer;
  throw no_device(
      "NVIDIA's runtime compiler NVRTC is missing: none of {} was found in LD_LIBRARY_PATH, the system's libraries "
      "or /usr/local/cuda*/lib64; install the CUDA toolkit's NVRTC, or take --runtime opencl or host",
      fmt::join(nvrtc_names(), ", "));
}

}  // namespace twiddle::cuda
