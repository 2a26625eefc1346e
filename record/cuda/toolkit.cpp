#include "record/cuda/toolkit.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

// The sources of the patches are part of the library: it is one file that works from anywhere.
#define TW_EMBED(NAME, FILE)          \
  __asm__(                            \
      ".pushsection .rodata\n"        \
      ".global " #NAME "\n" #NAME     \
      ":\n"                           \
      ".incbin \"" FILE               \
      "\"\n"                          \
      ".global " #NAME "_end\n" #NAME \
      "_end:\n"                       \
      ".byte 0\n"                     \
      ".popsection\n");               \
  extern "C" __attribute__((visibility("hidden"))) const char NAME[], NAME##_end[];
TW_EMBED(twiddle_patch_source, TWIDDLE_PATCH_SOURCES "/patch.cu")
TW_EMBED(twiddle_format_source, TWIDDLE_PATCH_SOURCES "/record_format.h")

extern char** environ;

namespace twiddle_cuda {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string existing(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error) ? path.string() : "";
}

std::vector<fs::path> toolkit_folders() {
  std::vector<fs::path> folders;
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
    if (const std::string value = variable(name); !value.empty()) folders.emplace_back(value);
  std::error_code error;
  std::istringstream path(variable("PATH"));
  for (std::string folder; std::getline(path, folder, ':');) {
    const fs::path nvcc = fs::canonical(fs::path(folder) / "nvcc", error);
    if (!error) folders.push_back(nvcc.parent_path().parent_path());
  }
  folders.insert(folders.end(),
                 {"/usr/local/cuda", "/opt/cuda", "/usr/lib/nvidia-cuda-toolkit", "/usr/lib/cuda", "/usr"});
  for (const char* parent : {"/usr/local", "/opt"})
    for (fs::directory_iterator at(parent, error), end; !error && at != end; at.increment(error))
      if (at->path().filename().string().rfind("cuda-", 0) == 0) folders.push_back(at->path());
  return folders;
}

// Runs a command without our own injection in its environment, output to a file. Returns its exit code, −1: it did not run.
int run(const std::vector<std::string>& command, const std::string& output) {
  std::vector<char*> arguments, environment;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  for (char** at = environ; *at; ++at)
    if (std::strncmp(*at, "CUDA_INJECTION", 14) != 0 && std::strncmp(*at, "LD_PRELOAD=", 11) != 0)
      environment.push_back(*at);
  environment.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child = 0;
  const int failed = posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  if (failed) return -1;
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// FNV-1a: names files in a cache, no more.
std::uint64_t hash(std::string_view text, std::uint64_t value = 14695981039346656037ull) {
  for (const unsigned char c : text) value = (value ^ c) * 1099511628211ull;
  return value;
}

fs::path cache_folder() {
  const std::string xdg = variable("XDG_CACHE_HOME"), home = variable("HOME");
  if (!xdg.empty()) return fs::path(xdg) / "twiddle";
  if (!home.empty()) return fs::path(home) / ".cache" / "twiddle";
  return fs::temp_directory_path() / ("twiddle-" + std::to_string(getuid()));
}

std::string_view first_line_of(std::string_view text) { return text.substr(0, text.find('\n')); }

}  // namespace

Toolkit find_toolkit() {
  Toolkit first;
  for (const fs::path& folder : toolkit_folders()) {
    Toolkit found;
    found.nvcc = existing(folder / "bin" / "nvcc");
    for (const char* place : {"compute-sanitizer", "extras/compute-sanitizer", "lib", "lib64"})
      if (found.sanitizer.empty()) found.sanitizer = existing(folder / place / "libsanitizer-public.so");
    if (!found.nvcc.empty() && !found.sanitizer.empty()) return found;
    if (first.nvcc.empty()) first.nvcc = found.nvcc;
    if (first.sanitizer.empty()) first.sanitizer = found.sanitizer;
  }
  return first;
}

std::string device_patches(const Toolkit& toolkit, std::string& reason) {
  if (std::string given = variable("TWIDDLE_RECORD_PATCHES"); !given.empty()) return given;
  if (toolkit.nvcc.empty()) {
    reason = "there is no nvcc to build the recorder's device code with; set CUDA_HOME to the CUDA Toolkit";
    return "";
  }
  std::error_code error;
  const fs::path cache = cache_folder();
  fs::create_directories(cache, error);
  fs::permissions(cache, fs::perms::owner_all, error);
  std::string scratch = (cache / "build-XXXXXX").string();
  if (!mkdtemp(scratch.data())) {
    reason = "the folder " + cache.string() + " cannot be written";
    return "";
  }
  const fs::path folder = scratch, output = folder / "output.txt";
  const std::string_view patch(twiddle_patch_source, twiddle_patch_source_end - twiddle_patch_source);
  const std::string_view format(twiddle_format_source, twiddle_format_source_end - twiddle_format_source);
  std::string path;
  if (run({toolkit.nvcc, "--version"}, output.string()) != 0) {
    reason = toolkit.nvcc + " does not run";
  } else {
    char name[64];
    std::snprintf(name, sizeof name, "cuda-patches-%016llx.fatbin",
                  static_cast<unsigned long long>(hash(format, hash(patch, hash(text_of(output))))));
    const fs::path cached = cache / name, built = folder / name;
    if (fs::exists(cached, error)) {
      path = cached.string();
    } else {
      std::ofstream(folder / "patch.cu", std::ios::binary) << patch;
      std::ofstream(folder / "record_format.h", std::ios::binary) << format;
      // One image for each generation of GPUs that this nvcc knows.
      if (run({toolkit.nvcc, "-fatbin", "--compile-as-tools-patch", "-std=c++17", "-arch=all-major", "-t0", "-o",
               built.string(), (folder / "patch.cu").string()},
              output.string()) != 0) {
        reason = "nvcc cannot build the recorder's device code: ";
        reason += first_line_of(text_of(output));
      } else {
        fs::rename(built, cached, error);  // whole or not at all: other processes may be at the same
        path = error ? "" : cached.string();
        if (error) reason = "the file " + cached.string() + " cannot be written";
      }
    }
  }
  fs::remove_all(folder, error);
  return path;
}

}  // namespace twiddle_cuda
