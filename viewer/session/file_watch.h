// Notices when a file has been saved.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace twiddle {

/// Looks at the files' times and sizes whenever it is asked. Editors write a file in several goes, or put another in its
/// place: a change is reported once the files are the same at two checks in a row.
class FileWatch {
 public:
  /// `files` is called at every check: which files are watched may change with their content. Empty: nothing is watched.
  explicit FileWatch(std::function<std::vector<std::filesystem::path>()> files);
  bool watching() const { return static_cast<bool>(files_); }
  /// True once after each change.
  bool changed();

 private:
  struct Stamp {
    std::filesystem::file_time_type time;
    std::uintmax_t size = 0;
    bool operator==(const Stamp&) const = default;
  };
  // Nothing: the file is not there.
  using Stamps = std::map<std::filesystem::path, std::optional<Stamp>>;
  Stamps look() const;

  std::function<std::vector<std::filesystem::path>()> files_;
  Stamps told_, last_;
};

}  // namespace twiddle
