#include "base/paths.h"

#include "base/build_paths.h"
#include "base/error.h"
#include "base/values/environment.h"

#include <string>
#include <system_error>
#include <vector>

namespace fs = std::filesystem;

namespace twiddle {
namespace {

bool holds_resources(const fs::path& directory) {
  std::error_code ignored;
  return fs::is_directory(directory / "kernels" / "opencl", ignored);
}

fs::path find_resources() {
  // TWIDDLE_DATA overrides the search and must be valid.
  if (const std::string given = environment("TWIDDLE_DATA"); !given.empty()) {
    if (!holds_resources(given))
      throw unreadable("TWIDDLE_DATA names {}, which holds no kernels/opencl; unset it or name Twiddle's data folder",
                       given);
    return given;
  }

  // Installed: bin/twiddle and share/twiddle. In a tree, perhaps moved or copied since: build/PRESET/twiddle.
  const fs::path bin = program_file().parent_path();
  std::vector<fs::path> candidates{bin.parent_path() / "share" / "twiddle"};
  for (fs::path up = bin; up.has_relative_path(); up = up.parent_path()) candidates.push_back(up);
  candidates.emplace_back(TWIDDLE_SOURCE_DIRECTORY);
  for (const fs::path& candidate : candidates)
    if (holds_resources(candidate)) return candidate;

  throw unreadable(
      "Twiddle's kernels are neither in {} nor in {}; reinstall it, or set TWIDDLE_DATA to its data folder",
      candidates.front().string(), TWIDDLE_SOURCE_DIRECTORY);
}

// An XDG base directory: the variable when it holds an absolute path, else the folder below the home.
fs::path user_directory(const char* variable, const char* below_home) {
  if (const fs::path given = environment(variable); given.is_absolute()) return given / "twiddle";
  if (const fs::path home = environment("HOME"); !home.empty()) return home / below_home / "twiddle";
  std::error_code ignored;
  return fs::temp_directory_path(ignored) / "twiddle";
}

}  // namespace

const fs::path& program_file() {
  static const fs::path file = [] {
    std::error_code failed;
    const fs::path link = fs::read_symlink("/proc/self/exe", failed);
    return failed ? fs::path(TWIDDLE_BINARY_DIRECTORY) / "twiddle" : link;
  }();
  return file;
}

const fs::path& resource_directory() {
  static const fs::path directory = find_resources();
  return directory;
}

fs::path resource(const fs::path& relative) { return resource_directory() / relative; }

fs::path locale_directory() {
  const fs::path bin = program_file().parent_path();
  std::error_code ignored;
  // In a build folder share/ is beside the program, in an installation beside bin/.
  for (const fs::path& base : {bin, bin.parent_path()})
    if (fs::is_directory(base / "share" / "locale", ignored)) return base / "share" / "locale";
  return fs::path(TWIDDLE_BINARY_DIRECTORY) / "share" / "locale";
}

fs::path config_directory() { return user_directory("XDG_CONFIG_HOME", ".config"); }

fs::path data_directory() { return user_directory("XDG_DATA_HOME", ".local/share"); }

fs::path cache_directory() { return user_directory("XDG_CACHE_HOME", ".cache"); }

}  // namespace twiddle
