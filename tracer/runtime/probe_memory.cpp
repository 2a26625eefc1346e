#include "tracer/runtime/probe_memory.h"

#include "base/paths.h"
#include "base/read_file.h"
#include "base/values/environment.h"
#include "base/write_file.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <system_error>

extern char** environ;

namespace fs = std::filesystem;

namespace twiddle {
namespace {

fs::path memory_of(std::string_view runtime) { return cache_directory() / fmt::format("probed-{}.txt", runtime); }

// A file as a line: changed, when its size or its time is another.
std::string file_line(const std::string& path) {
  struct stat is {};
  if (stat(path.c_str(), &is) != 0) return fmt::format("- - {}\n", path);
  return fmt::format("{} {}.{:09} {}\n", is.st_size, is.st_mtim.tv_sec, is.st_mtim.tv_nsec, path);
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
    names.push_back(at->path().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string first_line(const fs::path& file) {
  std::string line;
  std::ifstream in(file);
  std::getline(in, line);
  return line;
}

}  // namespace

std::string probe_key() {
  std::error_code ignored;
  std::string key = "twiddle probe 1\n" + file_line(program_file().string());
  // A container is another namespace, with another /sys and other devices; a driver in the kernel stays until the next boot.
  key += first_line("/proc/sys/kernel/random/boot_id") + "\n";
  key += fs::read_symlink("/proc/self/ns/mnt", ignored).string() + "\n";
  key += fmt::format("user {}\n", getuid());
  for (const auto resource : {RLIMIT_AS, RLIMIT_DATA, RLIMIT_MEMLOCK, RLIMIT_NOFILE}) {
    rlimit limit{};
    getrlimit(resource, &limit);
    key += fmt::format("limit {}\n", limit.rlim_cur);
  }
  std::set<std::string> variables;
  for (char** variable = environ; *variable; ++variable) {
    const std::string_view text = *variable;
    for (const std::string_view prefix : {"POCL",
                                          "OCL_",
                                          "OPENCL",
                                          "CL_",
                                          "CUDA",
                                          "NV",
                                          "LD_",
                                          "LIBGL",
                                          "MESA",
                                          "RUSTICL",
                                          "ROC",
                                          "HIP",
                                          "HSA",
                                          "AMD",
                                          "GPU",
                                          "INTEL",
                                          "NEO",
                                          "IGC",
                                          "LLVM",
                                          "OMP",
                                          "ZE",
                                          "HOME=",
                                          "XDG_CACHE_HOME=",
                                          "TMPDIR="})
      if (text.substr(0, prefix.size()) == prefix) variables.insert(std::string(text));
  }
  for (const std::string& variable : variables) key += variable + "\n";

  key += file_line("/etc/ld.so.cache");
  for (const char* folder : {"/dev/dri", "/dev/nvidia0", "/dev/nvidia1", "/dev/kfd", "/sys/devices/system/cpu"})
    key += fmt::format("{} {}\n", folder, fs::exists(folder, ignored));
  for (const std::string& name : names_in("/dev/dri")) key += name + "\n";
  std::vector<fs::path> vendors = {"/etc/OpenCL/vendors"};
  for (const char* variable : {"OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"})
    if (const std::string given = environment(variable); !given.empty()) vendors.emplace_back(given);
  for (const fs::path& folder : vendors) {
    key += file_line(folder.string());
    for (const std::string& name : names_in(folder)) key += file_line(name);
  }
  return key;
}

bool recall_probe(std::string_view runtime, const std::string& key) {
  const std::string known = own_file(memory_of(runtime));
  if (known.compare(0, key.size(), key) != 0) return false;
  std::istringstream lines(known.substr(key.size()));
  bool ended = false;
  for (std::string line; std::getline(lines, line);) {
    if ((ended = line == "end")) break;
    std::istringstream in(line);
    std::string size, time, path;
    in >> size >> time >> std::ws;
    std::getline(in, path);
    if (file_line(path) != line + "\n") return false;
  }
  return ended;
}

void remember_probe(std::string_view runtime, const std::string& key, const std::vector<std::string>& files) {
  const fs::path file = memory_of(runtime);
  std::error_code failed;
  fs::create_directories(file.parent_path(), failed);
  std::string text = key;
  for (const std::string& one : files) text += file_line(one);
  (void)try_write_file(file, text + "end\n");
}

std::vector<std::string> loaded_files() {
  std::set<std::string> files;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const std::size_t path = line.find('/');
    if (path == std::string::npos || line.find(" r-xp ") == std::string::npos) continue;
    if (const std::string file = line.substr(path); file.find(" (deleted)") == std::string::npos) files.insert(file);
  }
  return {files.begin(), files.end()};
}

}  // namespace twiddle
